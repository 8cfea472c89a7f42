import { chownSync } from 'node:fs'
import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { fakeHost, tempTree } from '@skills/testing'
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
    const projectSettings = (uid: number) =>
      settingsFiles(fakeHost({ cwd: `${path}/theirs/mine`, home: `${path}/home`, uid, env: {} }))
        .find(({ source }) => source === 'projectSettings')
        ?.path.replace(path, '')
    expect(projectSettings(0)).toBe('/theirs/.claude/settings.json')
    chownSync(`${path}/theirs`, 65534, 65534)
    expect(projectSettings(0)).toBe('/theirs/mine/.claude/settings.json')
  },
)

const deny = '{ "permissions": { "deny": ["Skill(one)"] } }'
const allow = '{ "permissions": { "allow": ["Skill(one)"] } }'
const granting = '---\ndescription: One.\nallowed-tools: Bash\n---\nText.\n'

/** Returns whether a model may invoke the skill `one` under these settings files, before anyone is asked. */
async function decided(name: string, entries: Readonly<Record<string, string>>, trust?: { readonly all: true }) {
  const { path, dispose } = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/one/SKILL.md': granting,
    ...entries,
  })
  onTestFinished(dispose)
  const distribution = (await distributionNamed(name))({
    host: fakeHost({ cwd: `${path}/repo`, home: `${path}/home`, uid: process.getuid?.(), env: {} }),
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
