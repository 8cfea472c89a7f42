import { createSkills, type Catalog, type Skills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { enginePort, skillTool } from '@skills/invocation/skill-tool'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { distributionNamed } from './index.js'

const skill = (name: string): string => `---\nname: ${name}\ndescription: D.\n---\nBody.\n`

async function opened(
  name: string,
  entries: TreeEntries,
  env: Readonly<Record<string, string>> = {},
): Promise<{ skills: Skills; tree: TempTree }> {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const make = await distributionNamed(name)
  const host = fakeHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, uid: process.getuid?.(), env })
  const skills = createSkills(make({ host, managed: { dirs: [] }, onDiagnostic: () => {} }))
  onTestFinished(() => skills.close())
  return { skills, tree }
}

// Tried with Kilo 7.7.9: it lists the skills of `~/.claude` even if the variable names another folder.
test.each(['opencode', 'kilo'])("%s reads ~/.claude where Claude Code's variable names another folder", async name => {
  const env = { CLAUDE_CONFIG_DIR: '/nowhere' }
  const { skills } = await opened(name, { 'home/.claude/skills/a/SKILL.md': skill('a') }, env)
  expect((await skills.catalog()).entries.map(entry => entry.name)).toEqual(['a'])
})

/** Formats the diagnostics as `code file:line message`, without the path of the tree. */
function saidIn({ errors, warnings }: Catalog, tree: TempTree): readonly string[] {
  return [...errors, ...warnings].map(({ code, path = '', line = '', message }) =>
    `${code} ${path}:${line} ${message}`.replaceAll(`${tree.path}/`, ''),
  )
}

const files = {
  opencode: { user: 'home/.config/opencode/opencode.json', project: 'repo/opencode.json' },
  pi: { user: 'home/.pi/agent/settings.json', project: 'repo/.pi/settings.json' },
  'gemini-cli': { user: 'home/.gemini/settings.json', project: 'repo/.gemini/settings.json' },
} as const
const shapes = {
  opencode: (value: unknown) => JSON.stringify({ skills: { paths: value } }, undefined, 1),
  pi: (value: unknown) => JSON.stringify({ skills: value }, undefined, 1),
  'gemini-cli': (value: unknown) => JSON.stringify({ skills: { disabled: value } }, undefined, 1),
} as const

test.each(['opencode', 'pi', 'gemini-cli'] as const)(
  '%s says once what is wrong with a settings file, with its place, and goes on without it',
  async name => {
    const { user, project } = files[name]
    const { skills, tree } = await opened(name, {
      [user]: '{ "skills": ',
      [project]: shapes[name]('one'),
      'repo/.agents/skills/a/SKILL.md': skill('a'),
    })
    const catalog = await skills.catalog()
    expect(catalog.entries.map(entry => entry.name)).toEqual(['a'])
    const said = saidIn(catalog, tree)
    expect(said).toHaveLength(2)
    expect(said[0]).toMatch(new RegExp(`^program-settings ${user}:1 .*JSON: `))
    expect(said[1]).toMatch(/^program-settings repo\/\S+:[23] `skills(?:\.\w+)?` must be a list\.$/)
    tree.write({ [user]: shapes[name]([7]), [project]: '{}' })
    expect(saidIn(await skills.refresh(), tree)).toEqual([expect.stringMatching(/\[0\]` is not text\.$/)])
  },
)

test.each(['opencode', 'pi', 'gemini-cli'] as const)('%s reads no settings of a project through a link', async name => {
  const { skills, tree } = await opened(name, {
    'private.json': shapes[name](['~/x']),
    [files[name].project]: { link: name === 'opencode' ? '../private.json' : '../../private.json' },
  })
  expect(saidIn(await skills.catalog(), tree)).toEqual([expect.stringMatching(/^(?:program-settings|link-escapes) /)])
})

test.each(['opencode', 'pi'] as const)(
  '%s searches no folder outside of the project that the project names, nor what a link in it leads to',
  async name => {
    const { skills, tree } = await opened(name, {
      [files[name].project]: shapes[name](['~/mine', '/', name === 'pi' ? '../out' : 'out']),
      'home/mine/a/SKILL.md': skill('a'),
      'other/b/SKILL.md': skill('b'),
      'repo/out': { link: '../other' },
    })
    const catalog = await skills.catalog()
    expect(catalog.entries).toEqual([])
    expect(saidIn(catalog, tree).toSorted()).toEqual([
      expect.stringMatching(/^link-escapes repo\/out:/),
      expect.stringMatching(/^program-settings \S+:\d+ .* name home\/mine, which is outside/),
      expect.stringMatching(/^program-settings \S+:\d+ .* name \/, which is outside/),
    ])
  },
)

test('folders of opencode.json go by the folder they lie in; a relative path of the user leads into the project', async () => {
  const { skills } = await opened('opencode', {
    'home/.config/opencode/opencode.json': shapes.opencode(['~/mine', 'ours']),
    'repo/opencode.json': shapes.opencode(['theirs']),
    'home/mine/a/SKILL.md': skill('a'),
    'repo/ours/b/SKILL.md': skill('b'),
    'repo/theirs/c/SKILL.md': skill('c'),
  })
  const { entries } = await skills.catalog()
  const levels = await Promise.all(
    entries.map(async ({ name, command }) => {
      if (command.type !== 'prompt') return name
      const verdict = await skills.use('trust').first((trust, call) => trust.judge(command, false, call))
      return `${name} ${verdict?.level}`
    }),
  )
  expect(levels.toSorted()).toEqual(['a trusted', 'b untrusted', 'c untrusted'])
})

test('opencode fetches nothing of skills.urls, and says so', async () => {
  const { skills, tree } = await opened('opencode', {
    'repo/opencode.jsonc': '{\n  "skills": { "urls": ["https://example.com/skills/"] } // Many.\n}\n',
  })
  expect(saidIn(await skills.catalog(), tree)).toEqual([
    expect.stringMatching(
      /^program-settings repo\/opencode\.jsonc:2 https:\/\/example\.com\/skills\/ .*`skills\.urls`/,
    ),
  ])
})

test('gemini-cli hides all skills if one of its settings files switches them off', async () => {
  const { skills, tree } = await opened('gemini-cli', {
    'home/.gemini/settings.json': '{ "skills": { "enabled": false } }',
    'repo/.gemini/settings.json': '{ "skills": { "enabled": true } }',
    'repo/.agents/skills/a/SKILL.md': skill('a'),
  })
  const dormantOf = async () => (await skills.refresh()).get('a')?.dormant
  expect(await dormantOf()).toContain('`skills.enabled` is false')
  tree.write({ 'home/.gemini/settings.json': '{ "skills": { "enabled": "false" } }' })
  expect(await dormantOf()).toBeUndefined()
})

test('codex leaves out skills that the settings of the user switch off, and says which of its entries have no effect', async () => {
  const { skills, tree } = await opened('codex', {
    'home/.codex/config.toml': `[[skills.config]]\nname = "a"\nenabled = false\n[[skills.config]]\nenabled = false\n`,
    'repo/.codex/config.toml': '[[skills.config]]\nname = "b"\nenabled = false\n',
    'repo/.agents/skills/a/SKILL.md': skill('a'),
    'repo/.agents/skills/b/SKILL.md': skill('b'),
  })
  const catalog = await skills.catalog()
  expect(catalog.get('a')).toBeUndefined()
  expect(catalog.disabled.map(({ barred }) => barred)).toEqual([expect.stringContaining('`skills.config`')])
  expect(catalog.get('b')?.dormant).toBeUndefined()
  expect(saidIn(catalog, tree)).toEqual([
    'program-settings home/.codex/config.toml: `skills.config[1]` must have either a `name` or a `path`.',
  ])
  tree.write({ 'home/.codex/config.toml': '[skills]\ninclude_instructions = false\n' })
  expect((await skills.refresh()).get('b')?.dormant).toContain('`skills.include_instructions`')
})

test.each([
  ['is not TOML', '\n[[skills.config]\n', 2],
  ['without `enabled', '[[skills.config]]\nname = "a"\n', ''],
])('codex lists no skill if it would not start with the settings of the user: %s', async (reason, text, line) => {
  const { skills, tree } = await opened('codex', {
    'home/.codex/config.toml': text,
    'repo/.agents/skills/a/SKILL.md': skill('a'),
  })
  const catalog = await skills.catalog()
  expect(catalog.entries).toEqual([])
  expect(catalog.disabled.map(({ barred }) => barred)).toEqual([expect.stringContaining(reason)])
  expect(saidIn(catalog, tree)[0]).toMatch(new RegExp(`^program-settings home/\\.codex/config\\.toml:${line} `))
})

test('opencode forbids what its settings forbid, and no project allows what the user forbids', async () => {
  const { skills } = await opened('opencode', {
    'home/.config/opencode/opencode.json': '{ "permission": { "skill": { "a": "deny", "b": "deny" } } }',
    'repo/opencode.jsonc':
      '{ "permission": { "skill": { "a": "allow", "c": "ask" } }, "agent": { "build": { "tools": {} } } }',
    'repo/.opencode/opencode.json': '{ "agent": { "plan": { "permission": "deny" } } }',
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`repo/.agents/skills/${name}/SKILL.md`, skill(name)])),
  })
  expect(await decisions(skills)).toBe('a deny, b deny, c ask, d allow')
})

test('opencode asks about every skill if a file of its settings cannot be read', async () => {
  const { skills } = await opened('opencode', {
    'repo/opencode.json': '{ "permission": ',
    'repo/.agents/skills/a/SKILL.md': skill('a'),
  })
  expect(await decisions(skills)).toBe('a ask')
})

async function decisions(skills: Skills): Promise<string> {
  const { entries } = await skills.catalog()
  const tool = await skillTool(enginePort(skills, { invoker: new Invoker(skills, { onAsk: () => 'deny' }) }))
  const all = await Promise.all(
    entries.map(async ({ name }) => `${name} ${(await tool.checkPermissions({ skill: name })).behavior}`),
  )
  return all.toSorted().join(', ')
}
