import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { enginePort, skillTool } from '@skills/invocation/skill-tool'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { distributionNamed } from './index.js'

// What the released programs tell their models of with the same settings, 2026-11-27, unless a title says otherwise.

const skill = (name: string): string => `---\nname: ${name}\ndescription: D.\n---\nBody.\n`
const own = { 'qwen-code': '.qwen', 'copilot-cli': '.github', kilo: '.kilo' } as const
const atHome = { 'qwen-code': '.qwen', 'copilot-cli': '.copilot', kilo: '.kilo' } as const

type Files = Readonly<Record<string, unknown>>

/** Returns the names that a model is told of, and those of them whose invocation is denied or asked about. */
async function told(name: keyof typeof own, files: Files, env: Readonly<Record<string, string>> = {}) {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    ...Object.fromEntries(['a', 'b', 'c'].map(one => [`repo/${own[name]}/skills/${one}/SKILL.md`, skill(one)])),
    [`home/${atHome[name]}/skills/d/SKILL.md`]: skill('d'),
    ...Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
  })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    env: {
      QWEN_CODE_SYSTEM_SETTINGS_PATH: `${tree.path}/machine.json`,
      QWEN_CODE_SYSTEM_DEFAULTS_PATH: `${tree.path}/defaults.json`,
      ...env,
    },
  })
  const distribution = (await distributionNamed(name))({
    host,
    managed: { dirs: [] },
    trust: { all: true },
    onDiagnostic: () => {},
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const port = enginePort(skills, {
    ...distribution.port,
    invoker: new Invoker(skills, { ...distribution.invoker, onAsk: () => 'deny' }),
  })
  const { entries } = await port.listing({ contextWindow: 1_000_000 })
  const tool = await skillTool(port, distribution.tool)
  const decided = await Promise.all(
    (await skills.catalog()).entries.map(async one => {
      const { behavior } = await tool.checkPermissions({ [distribution.tool.nameParameter ?? 'skill']: one.name })
      return behavior === 'allow' ? '' : ` ${one.name}:${behavior}`
    }),
  )
  return `${entries
    .map(one => one.name)
    .toSorted()
    .join(' ')}${decided.toSorted().join('')}`
}

const project = 'repo/.qwen/settings.json'
const user = 'home/.qwen/settings.json'

test.each<readonly [string, Files, string]>([
  ['of the user, in any letters', { [user]: { skills: { disabled: [' A ', 'D'] } } }, 'b c'],
  ['of the project, with comments', { [project]: '{ // No.\n "skills": { "disabled": ["a", "d"] } }' }, 'b c'],
  [
    'of both, and no one allows it again',
    { [user]: { skills: { disabled: ['a'] } }, [project]: { skills: { disabled: ['b'], enabled: ['a'] } } },
    'c d',
  ],
  [
    'by default, unless it is enabled',
    { [user]: { skills: { defaultDisabled: ['a', 'b'] } }, [project]: { skills: { enabled: ['A'] } } },
    'a c d',
  ],
  ['a level of the user', { [user]: { skills: { disabledLevels: ['user'] } } }, 'a b c'],
  ['a level of the project', { [project]: { skills: { disabledLevels: ['project'] } } }, 'd'],
  ['of the machine', { 'machine.json': { skills: { disabled: ['a'] } } }, 'b c d'],
  ['of a wrong type', { [project]: { skills: { disabled: 'a' } } }, 'a b c d'],
  ['beside one of a wrong type', { [project]: { skills: { disabled: ['a', 7] } } }, 'b c d'],
  ['in variables', { [project]: { skills: { disabled: ['$AA', '${BB}', '$CC'] } } }, 'c d'],
  ['broken file of the project', { [project]: '{ "skills": ' }, 'a b c d'],
  ['broken file of the user', { [user]: '{ "skills": ' }, ''],
  ['a comma too many of the user', { [user]: '{ "skills": {}, }' }, ''],
])('qwen-code leaves out what its settings switch off: %s', async (_, files, names) => {
  expect(await told('qwen-code', files, { AA: 'a', BB: 'b' })).toBe(names)
})

test('qwen-code leaves out skills that only people may not type, which is narrower than the program', async () => {
  expect(await told('qwen-code', { [user]: { slashCommands: { disabled: ['a'] } } })).toBe('b c d')
  expect(await told('qwen-code', {}, { QWEN_DISABLED_SLASH_COMMANDS: 'a, B' })).toBe('c d')
})

test('qwen-code denies and asks as its settings say, by its documents', async () => {
  const permissions = { deny: ['Skill(a)', 'skill( d )', 'Bash'], ask: ['Skill(b)', 'Skill(a)'] }
  expect(await told('qwen-code', { [user]: { permissions } })).toBe('a b c d a:deny b:ask d:deny')
  expect(await told('qwen-code', { [project]: { tools: { exclude: ['Skill'] } } })).toMatch(
    /a:deny b:deny c:deny d:deny$/,
  )
})

test('qwen-code has the folder of the user that its variable names', async () => {
  const files = {
    'home/other/skills/e/SKILL.md': skill('e'),
    'home/other/settings.json': { skills: { disabled: ['a'] } },
  }
  expect(await told('qwen-code', files, { QWEN_HOME: '~/other' })).toBe('b c e')
})

test.each<readonly [string, Files, string]>([
  [
    'of the user, in these letters',
    { 'home/.copilot/settings.json': { disabledSkills: ['a', 'd', 'B', ' c'] } },
    'b c',
  ],
  ['with comments', { 'home/.copilot/settings.json': '{ // No.\n "disabledSkills": ["a"], }' }, 'b c d'],
  ['after a byte order mark', { 'home/.copilot/settings.json': '\ufeff{"disabledSkills":["a"]}' }, 'b c d'],
  ['of the project', { 'repo/.github/copilot/settings.json': { disabledSkills: ['a'] } }, 'a b c d'],
  ['of a wrong type', { 'home/.copilot/settings.json': { disabledSkills: 'a' } }, 'a b c d'],
  ['in a broken file', { 'home/.copilot/settings.json': '{ "disabledSkills": ' }, 'a b c d'],
])('copilot-cli leaves out what the settings of the user switch off: %s', async (_, files, names) => {
  expect(await told('copilot-cli', files)).toBe(names)
})

test('copilot-cli has the folder of the user that its variable names, by its documents', async () => {
  const files = { 'home/other/settings.json': { disabledSkills: ['a'] }, 'home/other/skills/e/SKILL.md': skill('e') }
  expect(await told('copilot-cli', files, { COPILOT_HOME: 'other' })).toBe('b c e')
})

const denying = { permission: { skill: { a: 'deny', d: 'deny' } } }

// Kilo was asked about the first three; the others follow its documents.
test.each<readonly [string, Files, string]>([
  ['of the user', { 'home/.config/kilo/kilo.jsonc': denying }, 'b c a:deny d:deny'],
  ['under the name of OpenCode', { 'home/.config/kilo/opencode.json': denying }, 'b c a:deny d:deny'],
  ['of OpenCode', { 'home/.config/opencode/opencode.json': denying }, 'a b c d'],
  ['of the project', { 'repo/kilo.json': denying }, 'b c a:deny d:deny'],
  ['in its folder', { 'repo/.kilo/kilo.json': denying }, 'b c a:deny d:deny'],
  ['of the agent', { 'repo/kilo.json': { agent: { code: denying } } }, 'b c a:deny d:deny'],
])('kilo does not tell of what its settings deny: %s', async (_, files, names) => {
  expect(await told('kilo', files)).toBe(names)
})

test('in kilo, no project allows what the user denies', async () => {
  const files = {
    'home/.config/kilo/config.json': denying,
    'repo/kilo.json': { permission: { skill: { a: 'allow', b: 'ask' } } },
  }
  expect(await told('kilo', files)).toBe('b c a:deny b:ask d:deny')
})
