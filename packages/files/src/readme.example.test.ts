// #region usage
import { SkillTree } from '@skills/files'

async function sizesOfSkills(root: string, signal: AbortSignal) {
  const tree = new SkillTree<{ name: string; size: number }>({
    root,
    walk: 'deep',
    now: Date.now,
    // Called with the first bytes of each SKILL.md. Returning undefined asks for more of it.
    read: (file, head) => ({ name: file.name, size: head.stats.identity.size }),
  })
  const { items, problems } = await tree.scan(signal)
  // Reads only what has changed since. Undefined if nothing has.
  const changed = await tree.rescan(undefined, signal)
  return { items: changed?.items ?? items, problems }
}
// #endregion usage

// #region project
import { findProjectFolders, IgnoreRules } from '@skills/files'

async function isIgnored(path: string, cwd: string) {
  const { top } = findProjectFolders({ cwd, home: '/home/ann', uid: process.getuid?.() })
  const rules = IgnoreRules.under(top)
  return rules.ignores(path)
}
// #endregion project

// #region shared-reads
import { LocalStore, SharedReads, type SkillTreeOptions } from '@skills/files'

/** Reads the same files for two readers. */
async function readTwice<A, B>(one: SkillTreeOptions<A>, other: SkillTreeOptions<B>, signal: AbortSignal) {
  const sharedReads = new SharedReads({ bytes: 16 * 1024 * 1024 })
  const store = sharedReads.over(new LocalStore())
  const first = await new SkillTree({ ...one, store }).scan(signal)
  const second = await new SkillTree({ ...other, store }).scan(signal)
  return { first, second, filesRead: sharedReads.filesRead }
}
// #endregion shared-reads

// #region watch
import { watchPaths } from '@skills/files'

/** Reports changes below a folder until the signal aborts. */
async function watchFolder(folder: string, signal: AbortSignal, tell: (paths: readonly string[]) => void) {
  await watchPaths({
    paths: [folder],
    signal,
    onChange: tell,
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion watch

import { expect, it, onTestFinished, vi } from 'vitest'
import { later, temporary } from '../test/text-tree.js'

it('finds skills as the README shows', async () => {
  const { path } = temporary({ 'deploy/SKILL.md': 'four', 'group/lint/SKILL.md': 'five!', broken: { link: 'nowhere' } })
  const { items, problems } = await sizesOfSkills(path, new AbortController().signal)
  expect(items).toEqual([
    { name: 'deploy', size: 4 },
    { name: 'lint', size: 5 },
  ])
  expect(problems).toMatchObject([{ code: 'dangling-link' }])
})

it('asks what a project ignores as the README shows', async () => {
  const { path } = temporary({ '.git/HEAD': '', '.gitignore': 'dist/\n', 'src/x': '' })
  expect(await isIgnored(`${path}/src/dist/x`, `${path}/src`)).toBe(true)
  expect(await isIgnored(`${path}/src/x`, `${path}/src`)).toBe(false)
})

it('reads files once as the README shows', async () => {
  const { path: root } = temporary({ 'deploy/SKILL.md': 'four', 'lint/SKILL.md': 'five!' })
  // Files that were just written are read again, so the clock is set ahead.
  vi.useFakeTimers({ toFake: ['Date'], now: later() })
  onTestFinished(() => void vi.useRealTimers())
  const options = { root, walk: 'deep', now: Date.now } as const
  const { first, second, filesRead } = await readTwice(
    { ...options, read: ({ name }) => name },
    { ...options, read: (_file, { stats }) => stats.identity.size },
    new AbortController().signal,
  )
  expect([first.items, second.items, filesRead]).toEqual([['deploy', 'lint'], [4, 5], 2])
})

it('tells of changes as the README shows', async () => {
  const { path, write } = temporary({ 'deploy/SKILL.md': 'four' })
  const controller = new AbortController()
  const told = new Promise<readonly string[]>(resolve => {
    void watchFolder(path, controller.signal, resolve).then(() => write({ 'deploy/SKILL.md': 'five!' }))
  })
  expect(await told).toEqual([`${path}/deploy/SKILL.md`])
  controller.abort()
})
