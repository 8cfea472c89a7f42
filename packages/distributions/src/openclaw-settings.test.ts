import { createSkills } from '@skills/core'
import { fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openclaw } from './agents/openclaw/index.js'

// What OpenClaw 2026.9.6 tells its model of with the same files (2026-11-27), unless a test says that ours is narrower.

const skill = (name: string, more = ''): string => `---\nname: ${name}\ndescription: D.\n${more}\n---\nB.\n`
const needing = (block: object): string => `metadata: ${JSON.stringify({ openclaw: block })}`
const four = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`repo/skills/${name}/SKILL.md`, skill(name)]))

async function listed(
  settings: string | undefined,
  files: TreeEntries = four,
  env: Readonly<Record<string, string>> = {},
) {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.keep': '',
    ...(settings !== undefined && { 'home/.openclaw/openclaw.json': settings }),
    ...files,
  })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env, platform: 'linux' })
  const skills = createSkills(openclaw({ host, managed: { dirs: [] }, onDiagnostic: () => {} }))
  onTestFinished(() => skills.close())
  const { entries, errors, warnings } = await skills.catalog()
  return {
    names: entries.map(({ name }) => name).join(' '),
    said: [...errors, ...warnings].map(({ code, line, message }) => `${code}${line ? `:${line}` : ''} ${message}`),
    skills,
  }
}

test.each([
  ['switched off', '{ skills: { entries: { c: { enabled: false }, } } } // JSON5', 'a b d'],
  ['list of the defaults', `{ agents: { defaults: { skills: ['a', ' b '] } } }`, 'a b'],
  [
    'list of the agent in place of it',
    `{ agents: { defaults: { skills: ['a'] }, entries: { main: { skills: ['b'] } } } }`,
    'b',
  ],
  [
    'list of the agent that is the default',
    `{ agents: { entries: { main: { skills: ['b'] }, other: { default: true, skills: ['c'] } } } }`,
    'c',
  ],
  ['the only agent', `{ agents: { defaults: { skills: ['a'] }, entries: { other: { skills: ['c'] } } } }`, 'c'],
  ['agents as a list', `{ agents: { list: [{ id: 'main', skills: ['b'] }] } }`, 'b'],
  ['no skill at all', '{ agents: { defaults: { skills: [] } } }', ''],
  [
    'a variable that is set, and one that is not',
    '{ agents: { defaults: { skills: ["${SET}", "${UNSET}", "$${SET}"] } } }',
    'a',
  ],
])('openclaw lists those that its settings leave: %s', async (_, settings, names) => {
  expect(await listed(settings, four, { SET: 'a' })).toMatchObject({ names, said: [] })
})

test.each([
  ['is not JSON5: invalid end of input', '{ skills:\n', 2],
  ['is not JSON5', ' ', 1],
  ['must be an object', '[]', undefined],
  [
    'has a value for `skills.entries.c.enabled` that is no yes or no',
    `{ skills: { entries: { c: { enabled: 'no' } } } }`,
    undefined,
  ],
  [
    'has a value for `agents.defaults.skills` that is no list of texts',
    `{ agents: { defaults: { skills: 'a' } } }`,
    undefined,
  ],
])('openclaw lists no skill with settings with which it would not start: %s', async (reason, settings, line) => {
  const { names, said, skills } = await listed(settings)
  expect(names).toBe('')
  expect(said).toEqual([expect.stringContaining(reason)])
  expect(said[0]).toMatch(new RegExp(`^program-settings${line === undefined ? '' : `:${line}`} `))
  expect((await skills.explain('a')).answers[0]?.notListedBecause[0]?.text).toContain(reason)
})

test.each([
  `{ skills: { $include: './other.json5' } }`,
  `{ $include: ['./other.json5'] }`,
  `{ agents: { entries: { main: { $include: 'x' } } } }`,
])('openclaw lists no skill if other files may say which, which is narrower than the program: %s', async settings => {
  expect(await listed(settings)).toMatchObject({ names: '', said: [expect.stringContaining('`$include`')] })
})

test('openclaw reads the settings where its variables say', async () => {
  const off = '{ skills: { entries: { c: { enabled: false } } } }'
  const files = { ...four, 'home/st/openclaw.json': off }
  expect((await listed('', files, { OPENCLAW_STATE_DIR: '~/st' })).names).toBe('a b d')
  expect((await listed('', files, { OPENCLAW_CONFIG_PATH: '~/st/openclaw.json' })).names).toBe('a b d')
})

test('openclaw leaves out skills that need a setting that is not set, and those of its metadata in JSON5', async () => {
  const metadata: Readonly<Record<string, string>> = {
    a: `metadata: '{ openclaw: { requires: { config: ["foo.bar"] } } } // JSON5'`,
    b: needing({ always: true, requires: { config: ['foo.bar'], bins: ['not-there'] } }),
    c: needing({ skillKey: 'k' }),
    d: 'metadata: { "requires": { "config": ["foo.bar"] } }',
    e: 'metadata: { "clawdbot": { "requires": { "config": "foo.bar" } }, "openclaw": {} }',
    f: needing({ requires: { env: ['GIVEN'] } }),
    g: needing({ primaryEnv: 'TOKEN', requires: { env: ['TOKEN'] } }),
    h: needing({ primaryEnv: 'OTHER', requires: { env: ['TOKEN'] } }),
    i: 'requires: { config: [foo.bar] }',
    j: 'metadata: { "clawdbot": { "requires": { "config": "foo.bar, agents" } } }',
    k: needing({ always: 'true', requires: { config: ['foo.bar'] } }),
    l: needing({ requires: { config: ['browser.enabled'] } }),
    m: needing({ requires: { config: ['browser.evaluateEnabled'] } }),
    n: needing({ requires: { config: ['logging..level'] } }),
    o: needing({ requires: { config: ['__proto__'] } }),
    p: needing({ requires: { env: ['BLANK'] } }),
    q: needing({ always: true, os: ['macos', 'Linux'] }),
  }
  const settings = `{
    skills: { entries: { k: { enabled: false }, f: { env: { GIVEN: 'x' } }, g: { apiKey: { source: 'env', id: 'T' } }, h: { apiKey: 'x' } } },
    browser: { enabled: false },
    logging: { level: 'info' },
  }`
  const files = Object.fromEntries(
    Object.entries(metadata).map(([name, more]) => [`repo/skills/${name}/SKILL.md`, skill(name, more)]),
  )
  const { names, said, skills } = await listed(settings, files, { BLANK: ' ' })
  expect({ names, said }).toEqual({ names: 'b d e f g i m n', said: [] })
  expect((await skills.explain('a')).notes.map(({ text }) => text)).toContain(
    'It needs the setting "foo.bar", which is not set.',
  )
})

test('a skill that openclaw leaves out holds its name against one of the user', async () => {
  const files = {
    'repo/skills/a/SKILL.md': skill('a', needing({ requires: { config: ['foo.bar'] } })),
    'home/.openclaw/skills/a/SKILL.md': skill('a'),
    'repo/skills/b/SKILL.md': skill('b', needing({ skillKey: 'k' })),
    'home/.openclaw/skills/b/SKILL.md': skill('b'),
    'repo/skills/c/SKILL.md': skill('c'),
  }
  expect((await listed('{ skills: { entries: { k: { enabled: false } } } }', files)).names).toBe('c')
  expect((await listed(undefined, files)).names).toBe('b c')
})
