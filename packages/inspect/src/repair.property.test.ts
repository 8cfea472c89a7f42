import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { parseFrontmatter } from '@skills/skill-md'
import type { Parsed } from '@skills/skill-md/internal'
import { tempTree, type TempTree } from '@skills/testing'
import { lintFiles } from './lint-files.js'

let tree: TempTree
beforeAll(() => {
  tree = tempTree()
})
afterAll(() => tree.dispose())

/** Generates values as people write them without thinking of YAML. */
const value = fc.oneof(
  fc.constantFrom(
    'Use when: asked',
    'a # b',
    '[a] [b]',
    '"quoted" and more',
    "'it",
    '@file',
    '`cmd`',
    '* star',
    '%x',
    '!x',
    '{a',
    '| text',
    '> folded text',
    '',
    '1.10',
    'true',
    '- a',
    '\\d+: \\e',
    '"bad \\d escape"',
  ),
  fc.string({ maxLength: 20 }).map(text => text.replace(/[\n\r\0]/g, ' ')),
)
const key = fc.constantFrom(
  'name',
  'description',
  'when_to_use',
  'version',
  'metadata',
  'license',
  'allowed-tools',
  'x-note',
)
const block = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, minLength: 1, maxLength: 5 })
const body = fc
  .array(fc.constantFrom('Text: here\n', '---\n', '\r\n', '- a: b\n', '# Title', '  \t', '```\n'), { maxLength: 6 })
  .map(parts => parts.join(''))
const file = fc
  .record({ mark: fc.boolean(), block, body, end: fc.constantFrom('\n', '\r\n') })
  .map(
    one =>
      `${one.mark ? '\uFEFF' : ''}---${one.end}${one.block.map(([name, text]) => `${name}: ${text}${one.end}`).join('')}---${one.end}${one.body}`,
  )

function read(parsed: Parsed, text: string): unknown {
  return parsed.ok ? { data: parsed.data, body: Buffer.from(text).toString('utf8', parsed.bodyStart) } : undefined
}

test('what was repaired needs no repair any more, and reads as it did', async () => {
  let repaired = 0
  await fc.assert(
    fc.asyncProperty(file, async text => {
      tree.write({ 'skill/SKILL.md': text })
      const path = `${tree.path}/skill/SKILL.md`
      const before = read(await parseFrontmatter(text), text)
      const {
        files: [first],
      } = await lintFiles([path], { fix: true })
      const written = readFileSync(path, 'utf8')
      const isWritten = written !== text
      expect(isWritten).toBe((first?.fixed.length ?? 0) > 0)
      if (isWritten) repaired++
      expect(first?.isRepairable).toBe(false)
      expect(read(await parseFrontmatter(written), written)).toEqual(before)

      const {
        files: [second],
      } = await lintFiles([path], { fix: true })
      expect(second?.fixed).toEqual([])
      expect(second?.isRepairable).toBe(false)
      expect(readFileSync(path, 'utf8')).toBe(written)
    }),
    { numRuns: 300 },
  )
  expect(repaired).toBeGreaterThan(50)
})
