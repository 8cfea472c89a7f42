import { expect, test, vi } from 'vitest'
import { loadSharedEngine } from '../yaml/engine.js'
import { repairDocument } from '../write/write-document.js'
import { parseFrontmatter } from './parse-frontmatter.js'
import { repairBlock } from './repair.js'

const bytes = 60_000
const inBlock = (block: string): string => `---\n${block}\n---\nbody\n`
const filled = (unit: string): string => unit.repeat(bytes / unit.length)

// Each once took minutes, growing with the square of its length, and now takes a fraction of a second.
test.each<[string, string]>([
  ['a list that goes on at the margin and never ends', `a: [x,\n${filled('x,\n')}`],
  ['a map that goes on at the margin and never ends', `a: {x: y,\n${filled('z: y,\n')}`],
  ['a quoted text at the margin that never ends', `a: "x\n${filled('x\n')}`],
  ['the same in single quotes', `a: 'x\n${filled('x\n')}`],
  ['directives', filled('%x y\n')],
])('%s is read and repaired in proportion to its length', async (_what, block) => {
  const text = inBlock(block)
  expect((await parseFrontmatter(Buffer.from(text))).diagnostics).not.toEqual([])
  await repairDocument(text)
})

test('of many lines that go on at the margin the first are told', async () => {
  const parsed = await parseFrontmatter(Buffer.from(inBlock(`description: "${'x\n'.repeat(3000)}y"`)))
  expect(parsed).toMatchObject({ ok: true, data: { description: `${'x '.repeat(3000)}y` } })
})

test('a block with more broken values than anyone writes is an error and not repaired, after a bounded number of trials', async () => {
  const engine = await loadSharedEngine()
  const load = vi.fn<typeof engine.load>(engine.load)
  const lines = (count: number): string[] => Array.from({ length: count }, (_one, at) => `k${at}: "a" b`)
  expect(repairBlock(lines(400), { ...engine, load }, 100).repairs).toHaveLength(400)
  load.mockClear()
  repairBlock(lines(4000), { ...engine, load }, 100)
  expect(load.mock.calls.length).toBeLessThanOrEqual(500)
  expect(await parseFrontmatter(Buffer.from(inBlock(lines(4000).join('\n'))))).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'invalid-yaml', line: 502 }],
  })
})

test('a trial is told the anchors that its lines name, not the text of all of them', async () => {
  const engine = await loadSharedEngine()
  const load = vi.fn<typeof engine.load>(engine.load)
  const long = 'a'.repeat(500)
  const lines = Array.from({ length: 40 }, (_one, at) => [
    `z${at}: &${long}${at} x`,
    `k${at}: 'a' b`,
    `j${at}: [*${long}${at}] c`,
  ]).flat()
  expect(repairBlock(lines, { ...engine, load }, 100).repairs.map(({ field }) => field)).toEqual(
    lines.map(line => line.split(':')[0]).filter(key => !key?.startsWith('z')),
  )
  expect(load.mock.calls.reduce((total, [text]) => total + text.length, 0)).toBeLessThan(4 * lines.join('\n').length)
})
