import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fingerprintOf } from './fingerprint.js'
import { foldersAbove, wrongPath } from './check-skill.js'

const part = fc.oneof(
  fc.constantFrom('..', '.', '', 'a', 'A', 'nul', 'C:', '\\', 'é'),
  fc.string({ maxLength: 5, unit: 'binary' }),
)
const anyPath = fc.array(part, { maxLength: 4 }).map(parts => parts.join('/'))

it('every accepted path leads to a place in the folder, by the rules of every platform', () => {
  fc.assert(
    fc.property(anyPath, relative => {
      if (wrongPath([relative]) !== undefined) return
      for (const { resolve, relative: from, sep } of [path.posix, path.win32]) {
        const root = sep === '/' ? '/root/of/all' : 'C:\\root\\of\\all'
        expect(from(root, resolve(root, relative)).split(sep)).toEqual(relative.split('/'))
      }
    }),
    { numRuns: 3000 },
  )
})

it('plain paths are accepted', () => {
  const name = fc
    .stringMatching(/^[a-z][a-z0-9-]{2,8}$/)
    .filter(word => !/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(word))
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.array(name, { minLength: 2, maxLength: 2 }).map(names => `${names.join('/')}.md`)),
      paths => {
        expect(wrongPath(paths)).toBeUndefined()
        expect(paths.flatMap(foldersAbove)).toHaveLength(paths.length)
      },
    ),
  )
})

it('two sets of files have one fingerprint only if they are the same', () => {
  const entries = fc.array(fc.record({ path: fc.string({ maxLength: 4 }), bytes: fc.uint8Array({ maxLength: 4 }) }), {
    maxLength: 3,
  })
  const plain = (of: readonly { path: string; bytes: Uint8Array }[]): string =>
    JSON.stringify(
      of.map(({ path: name, bytes }) => [Buffer.from(name).toString('hex'), Buffer.from(bytes).toString('hex')]),
    )
  fc.assert(
    fc.property(entries, entries, (a, b) => {
      expect(fingerprintOf(a) === fingerprintOf(b)).toBe(plain(a) === plain(b))
      expect(fingerprintOf(a)).toBe(fingerprintOf(structuredClone(a)))
    }),
    { examples: [[[{ path: 'ab', bytes: new Uint8Array() }], [{ path: 'a', bytes: new Uint8Array([98]) }]]] },
  )
})
