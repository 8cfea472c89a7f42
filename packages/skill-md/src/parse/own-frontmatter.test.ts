import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadSharedEngine, type YamlReading } from '../yaml/engine.js'
import { readOwn, type FrontmatterReader } from './own-frontmatter.js'
import { SharedReading } from './shared-reading.js'

// Many runs, on a machine that may be busy.

const engine = await loadSharedEngine()

/** Values that schemas treat differently, and lines that the quick reader knows. */
const plain =
  ' ,~,null,NULL,true,True,FALSE,yes,12,-1,+1,.5,.inf,.NaN,0x1f,1e3,0o7,1.2.3,1:30,1_000,1.5e-3,-.5,0b1,12 a,٣,=x,<<'
const odd =
  '2024-01-01,2024-01-01T00:00:00Z,"12",\'true\',a text,a: b,"a: b" # c,[],[a],{},{a: 1},!!str 1,!own a,&a b,*a'
const several =
  '|\n  1\n;>-\n  true\n\n  b;|+\n  a\n\n;a\n  1;\n  - 1\n  - b;\n  - c;\n  k: true;\n  k: v;\n  <<: v;"a\n  b";[a, 1];- a'
const value = fc.constantFrom(
  '',
  'é',
  'a\tb',
  'a\r',
  '\ufeff',
  '?',
  ...`${plain},${odd}`.split(','),
  ...several.split(';'),
)
const block = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'name',
        'description',
        'a',
        'b',
        '<<',
        'null',
        '1',
        'true',
        'True',
        '1.0',
        '2024-01-01',
        'toString',
      ),
      value,
    ),
    { maxLength: 4 },
  )
  .chain(pairs => {
    const lines = pairs.map(([key, text]) => `${key}: ${text}`).join('\n')
    return fc.constantFrom(lines, `${lines}\n`, `\n${lines}`, `${lines}\n\n`, lines.replaceAll('\n', '\r\n'))
  })
const reading: fc.Arbitrary<YamlReading> = fc.record(
  {
    scalars: fc.constantFrom('typed', 'typed-1.1', 'text'),
    dates: fc.boolean(),
    merges: fc.boolean(),
    tags: fc.constantFrom('error', 'ignored'),
    strictIndent: fc.boolean(),
    aliases: fc.constantFrom('bounded', 'shared'),
  },
  { requiredKeys: [] },
)

test('YAML that is read without the library is what the library reads', () => {
  fc.assert(
    fc.property(block, reading, (lines, how) => {
      const bytes = Buffer.from('x')
      let read: unknown
      readOwn(
        (_text, yaml) => {
          read = yaml(lines, how)
          return { data: {}, body: 0 }
        },
        bytes,
        true,
      )
      const { ok, ...outcome } = engine.loadAs(lines, how.aliases === 'shared' ? Infinity : 100, how)
      expect(read).toEqual('value' in outcome ? { ok, value: outcome.value } : { ok, ...outcome })
    }),
    { numRuns: 5000 },
  )
})

test('readers that share their results get what the library reads for each of them', () => {
  const readings = fc.array(
    reading.map(one => ({ ...one, ...(one.merges === true && { duplicates: 'last' as const }) })),
    { minLength: 2, maxLength: 5 },
  )
  fc.assert(
    fc.property(block, readings, (lines, ways) => {
      const shared = new SharedReading()
      for (const how of ways) {
        let read: unknown
        const reader: FrontmatterReader = (_text, yaml) => {
          read = yaml(lines, how)
          return { data: {}, body: 0 }
        }
        readOwn(reader, Buffer.from('x'), true, shared)
        const { ok, ...outcome } = engine.loadAs(lines, how.aliases === 'shared' ? Infinity : 100, how)
        expect(read).toEqual('value' in outcome ? { ok, value: outcome.value } : { ok, ...outcome })
      }
    }),
    { numRuns: 5000 },
  )
})

test('text and digest of kept bytes are made once, and those of other bytes each time', () => {
  const shared = new SharedReading()
  const [kept, other] = [Buffer.alloc(8, 'kept'), Buffer.alloc(8, 'lent')]
  shared.keep(kept)
  expect(shared.headText(kept.subarray(0, 4))).toMatchObject({ text: 'kept', isUtf8: true, isSound: true })
  expect(shared.headText(kept.subarray(0, 4))).toBe(shared.headText(kept.subarray(0, 4)))
  expect(shared.headText(kept.subarray(4))).not.toBe(shared.headText(kept.subarray(0, 4)))
  let made = 0
  const digest = (bytes: Buffer): string => shared.digest(bytes, () => `${(made += 1)}`)
  expect([kept, kept, other, other, kept.subarray(1)].map(digest)).toEqual(['1', '1', '2', '3', '4'])
  expect(shared.headText(other).text).toBe('lentlent')
  other.fill('next')
  expect(shared.headText(other).text).toBe('nextnext')
  expect([kept, other].map(bytes => shared.isKept(bytes.subarray(1)))).toEqual([true, false])
})

test('where the body begins counts bytes', () => {
  const text = `---\nname: "é${'x'.repeat(3000)}"\n---\nBody`
  const read = readOwn(
    whole => (whole.includes('Body') ? { data: {}, body: whole.indexOf('Body') } : undefined),
    Buffer.from(text),
    true,
  )
  expect(read).toMatchObject({ bodyStart: Buffer.byteLength(text) - 4 })
})
