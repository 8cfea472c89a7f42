import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseHead } from '../parse/parser.js'
import { literalColons } from './literal-colons.js'

const literal = (text: string): string | undefined => {
  const bytes = Buffer.from(text)
  return literalColons(bytes, bytes.length)?.toString()
}
const block = (line: string): string => `---\n${line}\n---\nBody: a\n`

describe('values with colons', () => {
  test.each([
    ['[see: this]', "'[see: this]'"],
    ['{use: when}', "'{use: when}'"],
    ['see http://x.y # note', "'see http://x.y # note'"],
    ['Use when: asked', "'Use when: asked'"],
    ["it's: so", "'it''s: so'"],
    ['é: ü', "'é: ü'"],
    ['&a: b  ', "'&a: b'"],
  ])('%s is text', async (value, written) => {
    expect(literal(block(`description: ${value}`))).toBe(block(`description: ${written}`))
    const parsed = await parseHead(Buffer.from(literal(block(`description: ${value}`)) ?? ''), { whole: true })
    expect(parsed).toMatchObject({ ok: true, data: { description: value.trim() }, diagnostics: [] })
  })

  test.each([
    'description: no colon',
    'description: "a: b"',
    "description: 'a: b'",
    'description: |\n  a: b',
    'description: >-\n  a: b',
    'description: a: b\n  goes on',
    'description: a: b\n\n  goes on',
    'description: a: b\n \r\n# note\n\tgoes on',
    'description: a: b\ngoes on',
    'allowed-tools: Bash(git:*)',
    '  nested: a: b',
    '- item: a: b',
    '# note: a: b',
    'description:',
    'description: ',
  ])('%j stays as it is', lines => {
    expect(literal(block(lines))).toBeUndefined()
  })

  it('puts no quotes into a value that goes on at the margin or behind an empty line', async () => {
    for (const rest of ['goes on', '\n  goes on', '# note\n  goes on']) {
      const text = block(`description: a: b\n${rest}`)
      const parsed = await parseHead(Buffer.from(literal(text) ?? text), { whole: true })
      expect(parsed).toMatchObject({ ok: true, data: { description: expect.stringMatching(/^a: b\s+goes on$/) } })
    }
    expect(literal(block('description: a: b\n# note\n\nlicense: c: d'))).toBe(
      block("description: 'a: b'\n# note\n\nlicense: 'c: d'"),
    )
  })

  it('takes time in proportion to the length of a line', () => {
    const timeOf = (length: number): number => {
      const bytes = Buffer.from(block(`description: a: ${' '.repeat(length)}b`))
      return Math.min(
        ...Array.from({ length: 5 }, () => {
          const start = process.cpuUsage().user / 1000
          expect(literalColons(bytes, bytes.length)).toBeDefined()
          return process.cpuUsage().user / 1000 - start
        }),
      )
    }
    // Time that grows with the square would be a second and more.
    expect(timeOf(60_000)).toBeLessThan(100)
  })

  it('keeps a byte order mark, line ends and bytes that are no UTF-8', () => {
    expect(literal('\uFEFF---\r\na: b: c\r\n---\r\nBody')).toBe("\uFEFF---\r\na: 'b: c'\r\n---\r\nBody")
    const bytes = Buffer.concat([Buffer.from('---\na: b: '), Buffer.from([0xc3, 0x28]), Buffer.from('\n---\n')])
    expect(literalColons(bytes, bytes.length)?.subarray(11, 13)).toEqual(Buffer.from([0xc3, 0x28]))
  })

  it('leaves alone what has no block, or one that does not end in what is there', () => {
    for (const text of ['a: b: c\n', '---\na: b: c\n', '', '# T\n---\na: b: c\n---\n'])
      expect(literal(text)).toBeUndefined()
    const bytes = Buffer.from(block('a: b: c'))
    expect(literalColons(bytes, 12)).toBeUndefined()
  })

  it('moves no line, and makes of every value what stands there', async () => {
    const value = fc.string({
      unit: fc.constantFrom('a', ' ', ':', '#', '[', '{', "'", '"', '&', '|', 'é', '-', ','),
      minLength: 1,
      maxLength: 12,
    })
    let literals = 0
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom('\n', '\r\n'), async (raw, end) => {
        const text = ['---', `description: ${raw}`, 'license: MIT', '---', 'Body'].join(end)
        const written = literal(text)
        if (written === undefined) return
        literals++
        expect(written.split('\n')).toHaveLength(text.split('\n').length)
        expect(await parseHead(Buffer.from(written), { whole: true })).toMatchObject({
          ok: true,
          data: { description: raw.trim(), license: 'MIT' },
        })
      }),
    )
    expect(literals).toBeGreaterThan(20)
  })
})
