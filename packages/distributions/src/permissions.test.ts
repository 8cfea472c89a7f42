import { chownSync } from 'node:fs'
import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { memoryState } from '@skills/state'
import { fakeHost, tempTree } from '@skills/testing'
import { consentItems } from './consent.js'
import { distributionNamed } from './distribution-named.js'
import { expect, it, onTestFinished } from 'vitest'
import { settingsFiles } from './settings-files.js'

it.runIf(process.getuid?.() === 0)(
  'rules of a parent that belongs to another user are not read (given away by the superuser)',
  () => {
    const { path, dispose } = tempTree({
      'home/.keep': '',
      'theirs/.git/HEAD': '',
      'theirs/.claude/settings.json': '{"permissions":{"deny":["Skill"]}}',
      'theirs/mine/x': '',
    })
    onTestFinished(dispose)
    const shared = (uid: number) =>
      settingsFiles(fakeHost({ cwd: `${path}/theirs/mine`, home: `${path}/home`, uid, env: {} }))
        .filter(({ isProject }) => isProject)
        .map(one => one.path.replace(path, ''))
        .filter(one => one.endsWith('/settings.json'))
    expect(shared(0)).toEqual(['/theirs/mine/.claude/settings.json', '/theirs/.claude/settings.json'])
    chownSync(`${path}/theirs`, 65534, 65534)
    expect(shared(0)).toEqual(['/theirs/mine/.claude/settings.json'])
  },
)

const deny = '{ "permissions": { "deny": ["Skill(one)"] } }'
const allow = '{ "permissions": { "allow": ["Skill(one)"] } }'
const granting = '---\ndescription: One.\nallowed-tools: Bash\n---\nText.\n'

/** Returns whether a model may invoke the skill `one` under these settings files, before anyone is asked. */
async function decided(
  name: string,
  entries: Readonly<Record<string, string>>,
  trust?: { readonly all: true },
  cwd = 'repo',
) {
  const { path, dispose, write } = tempTree({ 'home/.claude/skills/one/SKILL.md': granting, [`${cwd}/x`]: '' })
  const placed = (text: string): string => text.replaceAll('<ROOT>', path)
  write(
    Object.fromEntries(Object.entries({ 'repo/.git/HEAD': '', ...entries }).map(([at, text]) => [at, placed(text)])),
  )
  onTestFinished(dispose)
  const distribution = (await distributionNamed(name))({
    host: fakeHost({ cwd: `${path}/${cwd}`, home: `${path}/home`, uid: process.getuid?.(), env: {} }),
    managed: { dirs: [`${path}/managed`], owner: process.getuid?.() },
    bundled: false,
    onDiagnostic: () => {},
    ...(trust && { trust }),
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const entry = (await skills.catalog()).get('one')
  if (entry === undefined) throw new Error('There is no skill to decide about.')
  const { behavior, decisionReason } = await new Invoker(skills, distribution.invoker).decide({
    tool: 'Skill',
    content: 'one',
    entry,
    args: '',
    caller: 'model',
  })
  return `${behavior} ${decisionReason.type} ${decisionReason.source ?? ''}`.trim()
}

it.each([
  ['home/.claude/settings.json', 'userSettings'],
  ['repo/.claude/settings.json', 'projectSettings'],
  ['repo/.claude/settings.local.json', 'projectLocalSettings'],
  ['managed/managed-settings.json', 'managedSettings'],
])('a deny rule in %s counts in every distribution that reads settings files of Claude Code', async (file, source) => {
  for (const name of ['standard', 'claude-code', 'claude-code-2026q1'])
    expect([name, await decided(name, { [file]: deny })]).toEqual([name, `deny rule ${source}`])
})

it("the administrator's file asks, although the user's own allows", async () => {
  const ask = JSON.stringify({ permissions: { ask: ['Skill(one)'] } })
  expect(
    await decided('claude-code', { 'home/.claude/settings.json': allow, 'managed/managed-settings.json': ask }),
  ).toBe('ask rule managedSettings')
})

it('a file of the project allows only what a person agreed to, and no file allows what another one denies', async () => {
  const local = { 'repo/.claude/settings.local.json': allow }
  expect(await decided('claude-code', local)).not.toMatch(/^allow/)
  expect(await decided('claude-code', local, { all: true })).toBe('allow rule projectLocalSettings')
  expect(await decided('claude-code', { 'managed/managed-settings.json': allow })).not.toMatch(/^allow/)
  for (const file of ['repo/.claude/settings.json', 'home/.claude/settings.json', 'managed/managed-settings.json'])
    expect(await decided('claude-code', { ...local, [file]: deny }, { all: true })).toMatch(/^deny rule/)
})

const worktree = {
  'tree/.git': 'gitdir: <ROOT>/repo/.git/worktrees/tree\n',
  'repo/.git/worktrees/tree/HEAD': 'ref: refs/heads/x\n',
  'repo/.git/worktrees/tree/commondir': '../..\n',
  'repo/.git/worktrees/tree/gitdir': '<ROOT>/tree/.git\n',
}
const [local, shared] = ['.claude/settings.local.json', '.claude/settings.json']

// What Claude Code 2.1.332 does with the same files, except for the main checkout of a worktree, which it obeys too.
it.each([
  ['the root', 'repo', {}, [`repo/${local}`, `repo/${shared}`], []],
  [
    'a folder below it',
    'repo/a/b',
    {},
    [`repo/${local}`, `repo/a/b/${local}`, `repo/a/b/${shared}`],
    [`repo/${shared}`],
  ],
  ['a worktree', 'tree', worktree, [`tree/${local}`, `tree/${shared}`], [`repo/${local}`]],
  [
    'a folder below a worktree',
    'tree/a',
    worktree,
    [`tree/a/${local}`, `tree/a/${shared}`],
    [`repo/${local}`, `tree/${local}`, `tree/${shared}`],
  ],
  [
    'a folder without a repository',
    'home/a/b',
    {},
    [`home/a/b/${local}`, `home/a/b/${shared}`],
    [`home/a/${local}`, `home/a/${shared}`],
  ],
])('in %s some files of a trusted project allow, and others only deny', async (_, cwd, more, allowing, restricting) => {
  for (const name of ['standard', 'claude-code']) {
    for (const file of allowing)
      expect([file, await decided(name, { ...more, [file]: allow }, { all: true }, cwd)]).toEqual([
        file,
        expect.stringMatching(/^allow rule /),
      ])
    for (const file of restricting)
      expect([file, await decided(name, { ...more, [file]: allow }, { all: true }, cwd)]).not.toEqual([
        file,
        expect.stringMatching(/^allow/),
      ])
    for (const file of [...allowing, ...restricting])
      expect([file, await decided(name, { ...more, [file]: deny }, { all: true }, cwd)]).toEqual([
        file,
        expect.stringMatching(/^deny rule /),
      ])
  }
})

it('no one is asked to agree to rules that do not count', async () => {
  const { path, dispose } = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    [`repo/${shared}`]: allow,
    [`repo/a/${shared}`]: '{ "permissions": { "allow": ["Skill(two)"] } }',
  })
  onTestFinished(dispose)
  const host = fakeHost({ cwd: `${path}/repo/a`, home: `${path}/home`, uid: process.getuid?.(), env: {} })
  const { items } = await consentItems(host, { state: memoryState().state })
  expect(items.map(({ label }) => label)).toEqual(['Skill(two)'])
})
