import { renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fakeClock, tempTree, type TreeEntries } from '@skills/testing'
import { runOver, said } from './indexed.js'

const name = fc.constantFrom('a', 'b', 'c', 'd.e')
const folder = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => names.join('/'))
const file = fc.constantFrom('SKILL.md', 'SKILL.md', 'SKILL.md', 'skill.md', 'note.md', 'agents/openai.yaml')
const text = fc.constantFrom(
  '---\nname: x\ndescription: One.\n---\nBody', '---\nname: x\ndescription: Two.\n---\nBody', 'Prose.', '---\ndescription: >\n  folded é\n---\n', '---\nname: [\n---\n',
  '---\naliases: p, q\nhooks:\n  a: b\n---\n\nText.', '---\ndescription: "\\ud800"\nversion: 1.0\n---\n', '---\nallowed-tool: x\n---\n', '', '\0', 'policy:\n  allow_implicit_invocation: false\n',
)
const edit = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('write' as const), at: folder, file, text }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('remove' as const), at: folder }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('move' as const), at: folder, to: folder }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('link' as const), at: folder, to: fc.oneof(folder, folder.map(path => `${path}/SKILL.md`)), isFile: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('date' as const), at: folder, ms: fc.integer({ min: -5000, max: 5000 }) }) },
)
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never

/** Makes an edit; one that does not suit the tree as it is makes nothing. */
function apply(root: string, write: (entries: TreeEntries) => void, one: Edit): void {
  const at = `${root}/${one.at}`
  try {
    switch (one.what) {
      case 'write': return write({ [`root/${one.at}/${one.file}`]: one.text })
      case 'remove': return rmSync(at, { recursive: true, force: true })
      case 'move': return renameSync(at, `${root}/${one.to}`)
      case 'link': return symlinkSync(`${root}/${one.to}`, one.isFile ? `${at}/SKILL.md` : at)
      case 'date': return utimesSync(`${at}/SKILL.md`, 1_700_000_000, 1_700_000_000 + one.ms / 1000)
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
  }
}

it('a start with an index of any age says what one without says, what was done to the files between', async () => {
  const rounds = fc.array(fc.array(edit, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 })
  const root = fc.record({ hasSidecars: fc.boolean(), layout: fc.record({ holds: fc.constantFrom('skills' as const, 'commands' as const), walk: fc.constantFrom('flat' as const, 'deep' as const) }) })
  let warmed = 0
  await fc.assert(fc.asyncProperty(rounds, root, fc.constantFrom(0, 150, 60_000), async (edits, options, afterMs) => {
    const tree = tempTree({ root: { dir: true } })
    try {
      const roots = [{ path: `${tree.path}/root`, ...options }]
      const run = (index: false | { readonly folder: string }, ms: number): Promise<string> =>
        runOver(roots, { index, host: { clock: fakeClock(Date.now() + ms) } }, said)
      for (const [at, round] of edits.entries()) {
        for (const one of round) apply(`${tree.path}/root`, tree.write, one)
        const warm = await run({ folder: `${tree.path}/cache` }, afterMs + at)
        expect(warm).toBe(await run(false, afterMs + at))
        if (at > 0) warmed++
      }
    } finally {
      tree.dispose()
    }
  }), { numRuns: 120 })
  expect(warmed).toBeGreaterThan(0)
}, 120_000)
