import { symlinkSync } from 'node:fs'
import { askPermission } from '@skills/invocation'
import { fakeHost } from '@skills/testing'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { engine, temporary, trustProvider } from '../test/asking.js'
import { permissionRules, unreadableRules, type PermissionRulesOptions } from './index.js'

let root: string
beforeEach(() => {
  const tree = temporary({
    'home/.ssh/id': '',
    'work/.env': '',
    'work/.env.local': '',
    'work/secrets/key.pem': '',
    'work/secrets/exact.txt': '',
    'work/src/a.ts': '',
    'work/docs/b.md': '',
  })
  root = tree.path
  symlinkSync('secrets/key.pem', `${root}/work/notes.txt`)
  symlinkSync('../secrets', `${root}/work/src/lib`)
})

/** Decides about a tool of the host, and returns the behaviour and what decided. */
async function decided(rules: PermissionRulesOptions, tool: string, input: unknown): Promise<string> {
  const { skills } = engine([], [trustProvider(), permissionRules(rules)], {
    host: fakeHost({ cwd: `${root}/work`, home: `${root}/home` }),
  })
  const asked: string[] = []
  const { behavior, message } = await askPermission(
    skills,
    { tool, input: typeof input === 'string' ? { file_path: input } : input },
    {
      onAsk: ({ decision }) => {
        asked.push(decision.message)
        return 'deny'
      },
    },
  )
  return asked.length > 0 ? `ask: ${asked.join()}` : `${behavior}: ${message}`
}

const tools = { allow: ['Read', 'Edit', 'Write', 'Glob', 'Grep', 'LS', 'Bash'] }

describe('a rule that denies files, beside one that allows the whole tool', () => {
  test.each([
    ['Read(./.env*)', 'Read', '.env.local'],
    ['Read(./.env*)', 'Read', './src/../.env'],
    ['Read(./secrets/**)', 'Read', 'secrets/key.pem'],
    ['Read(secrets/exact.txt)', 'Read', './secrets/exact.txt'],
    ['Read(secrets/exact.txt)', 'Read', 'ROOT/work/secrets/exact.txt'],
    ['Edit(//etc/**)', 'Edit', '/etc/hosts'],
    ['Edit(//etc/**)', 'Write', '/etc/hosts'],
    ['Edit(/etc/**)', 'Write', '/etc/hosts'],
    ['Write(/src/**)', 'Write', 'src/a.ts'],
    ['Write(./src/**)', 'Edit', 'src/a.ts'],
    ['Read(~/.ssh/**)', 'Read', '~/.ssh/id'],
    ['Read(~/.ssh/**)', 'Read', '../home/.ssh/new'],
    ['read(./.env)', 'Read', '.ENV'],
    ['Read( ./.env )', 'Read', '.env'],
    ['Read(./secrets/**)', 'Read', 'notes.txt'],
    ['Read(./secrets/**)', 'Read', 'src/lib/key.pem'],
    ['Read(./secrets/**)', 'Edit', 'secrets/key.pem'],
    ['Read(./secrets/**)', 'Glob', { pattern: 'secrets/*' }],
    ['Read(./secrets/**)', 'Glob', { pattern: '*', path: 'secrets' }],
    ['Read(./secrets/**)', 'Glob', { pattern: '../secrets/*.pem', path: 'src' }],
    ['Read(./secrets/**)', 'LS', { path: 'secrets' }],
    ['Read(./secrets/**)', 'Grep', { pattern: 'x', path: 'secrets' }],
    ['Read(.env)', 'Read', { file_path: 'src/a.ts', path: '.env' }],
  ])('%s denies %s of %j', async (rule, tool, input) => {
    const file = typeof input === 'string' ? input.replace('ROOT', root) : input
    expect(await decided({ ...tools, deny: [rule] }, tool, file)).toMatch(/^deny: The rule/)
  })

  test.each([
    ['Read(./.env)', 'Read', 'src/a.ts'],
    ['Read(./.env)', 'Read', 'src/.env'],
    ['Read(./secrets/**)', 'Write', 'secrets/new'],
    ['Edit(./secrets/**)', 'Read', 'secrets/key.pem'],
    ['Read(./secrets/**)', 'Grep', { pattern: 'x', path: 'docs' }],
    ['Read(./secrets/**)', 'Glob', { pattern: '**/*.ts' }],
    ['Read(./.env)', 'Bash', { command: 'git status && cat src/a.ts > docs/c' }],
  ])('%s leaves %s of %j', async (rule, tool, input) => {
    expect(await decided({ ...tools, deny: [rule] }, tool, input)).toMatch(/^allow/)
  })

  test.each([
    ['Read(./secrets/**)', 'Grep', { pattern: 'x' }, 'it also searches "secrets/'],
    ['Read(./.env)', 'Grep', { pattern: 'x', path: '.' }, 'it also searches ".env"'],
    ['Read(./.env)', 'Read', '/dev/fd/3', 'the path of this call leads through'],
    ['Read(./.env)', 'Read', {}, 'the path of this call is not given as one path'],
    ['Read(./.env)', 'Glob', { pattern: '*/../.e*' }, 'after a wildcard'],
    ['Read(./.env)', 'Bash', { command: 'cat .env' }, 'it names a file'],
    ['Read(./.env)', 'Bash', { command: 'grep x <src/../.env | wc' }, 'it names a file'],
    ['Read(./.env)', 'Bash', { command: 'dd if=.env' }, 'it names a file'],
    ['Read(./.env)', 'Bash', { command: "bash -c 'cat .env'" }, 'it names a file'],
    ['Edit(//etc/**)', 'Bash', { command: 'echo x > /etc/hosts' }, 'it names a file'],
    ['Edit(//etc/**)', 'Bash', { command: 'curl -o/etc/hosts x' }, 'it names a file'],
    ['Read(./secrets/**)', 'Bash', { command: 'cd secrets && cat *' }, 'it names a file'],
  ])('%s has %s of %j asked about, and says why', async (rule, tool, input, why) => {
    expect(await decided({ ...tools, deny: [rule] }, tool, input)).toMatch(/^ask/)
    expect(await decided({ ...tools, deny: [rule] }, tool, input)).toContain(why)
  })
})

describe('a rule that allows files', () => {
  test.each([
    ['Read(./src/**)', 'Read', 'src/a.ts', 'allow'],
    ['Read(./src/**)', 'Grep', { pattern: 'x', path: 'src/deep' }, 'allow'],
    ['Read(./src/**)', 'Read', 'src/../.env', 'ask'],
    ['Read(./src/**)', 'Read', 'src/lib/key.pem', 'ask'],
    ['Read(./src/**)', 'Read', 'SRC/a.ts', 'ask'],
    ['Read(./src/**)', 'Read', { file_path: 'src/a.ts', path: '.env' }, 'ask'],
    ['Read(./src/**)', 'Edit', 'src/a.ts', 'ask'],
    ['Edit(./src/**)', 'Write', 'src/new/b.ts', 'allow'],
    ['Edit(./src/**)', 'Read', 'src/a.ts', 'ask'],
    ['Write(./src/**)', 'Edit', 'src/a.ts', 'ask'],
    ['Read( ./src/** )', 'Read', 'src/a.ts', 'ask'],
    ['Read(./*.{md,ts})', 'Read', 'x.md', 'ask'],
  ])('%s, %s of %j: %s', async (rule, tool, input, behavior) => {
    expect((await decided({ allow: [rule] }, tool, input)).split(':')[0]).toBe(behavior)
  })
})

test('one slash begins at the folder that the settings belong to', async () => {
  const tree = temporary({
    'proj/.claude/settings.json': JSON.stringify({ permissions: { deny: ['Read(/keys/**)'] } }),
    'me/.claude/settings.json': JSON.stringify({
      permissions: { allow: ['Read(/notes/**)'], ask: ['Edit(/notes/**)'] },
    }),
    'proj/keys/k': '',
    'me/.claude/notes/n': '',
    'proj/notes/n': '',
  })
  const files = [
    { source: 'projectSettings', path: `${tree.path}/proj/.claude/settings.json`, isProject: true },
    { source: 'userSettings', path: `${tree.path}/me/.claude/settings.json` },
  ]
  const behavior = async (tool: string, file: string) =>
    (await decided({ files }, tool, `${tree.path}/${file}`)).split(':')[0]
  expect(await behavior('Read', 'proj/keys/k')).toBe('deny')
  expect(await behavior('Read', 'me/.claude/notes/n')).toBe('allow')
  expect(await behavior('Read', 'proj/notes/n')).toBe('ask')
  expect(await behavior('Write', 'me/.claude/notes/n')).toBe('ask')
})

describe('a rule about files that cannot be read', () => {
  it('has each tool that it may be about asked about', async () => {
    const rules = { ...tools, deny: ['Read($HOME/.ssh/**)'] }
    for (const tool of ['Read', 'Grep', 'LS', 'Edit'])
      expect(await decided(rules, tool, 'src/a.ts'), tool).toMatch(/^ask: .*cannot be understood/)
    expect(await decided(rules, 'Write', 'src/a.ts')).toMatch(/^allow/)
  })

  it.each(['Read(!x)', 'Read([a)', 'Edit(%HOME%/x)', 'Write(a\\b)', 'Glob(~x/y)'])(
    'is told with what to write: %s',
    async rule => {
      expect(await unreadableRules({ deny: [rule] })).toEqual([
        expect.objectContaining({
          severity: 'error',
          code: 'invalid-rule',
          message: expect.stringContaining(rule.slice(0, 6)),
          hint: expect.stringContaining('Read(./src/**)'),
        }),
      ])
    },
  )
})

test('tools of the host are tools for files where it says so', async () => {
  const rules = { allow: ['Peek', 'Put', 'Hunt'], deny: ['Read(./.env)', 'Edit(./secrets/**)'] }
  const fileTools = { Peek: 'reads', Put: 'edits', Hunt: 'searches' } as const
  expect(await decided(rules, 'Peek', '.env')).toMatch(/^allow/)
  expect(await decided({ ...rules, fileTools }, 'Peek', 'src/../.env')).toMatch(/^deny/)
  expect(await decided({ ...rules, fileTools }, 'Put', 'notes.txt')).toMatch(/^deny/)
  expect(await decided({ ...rules, fileTools }, 'Hunt', { path: '.' })).toMatch(/^ask/)
  expect(await decided({ deny: ['Peek(./.env)'], allow: ['Peek'], fileTools }, 'Peek', 'src/../.env')).toMatch(/^deny/)
})

test('a map holds for every path that leads to a file', async () => {
  const wildcards = [
    { source: 'config', map: { read: { '*': 'allow', 'secrets/*': 'deny', '*.env': 'deny' } } },
  ] as const
  for (const file of [
    'secrets/key.pem',
    './secrets/key.pem',
    'src/lib/key.pem',
    'notes.txt',
    'src/../.env',
    'SECRETS/x',
  ])
    expect(await decided({ wildcards }, 'Read', file), file).toMatch(/^deny/)
  expect(await decided({ wildcards }, 'Read', 'src/a.ts')).toMatch(/^allow/)
  const src = [{ source: 'config', map: { edit: { 'src/*': 'allow' } } }] as const
  expect(await decided({ wildcards: src }, 'Edit', 'src/a.ts')).toMatch(/^allow/)
  for (const file of ['src/../.env', 'src/lib/key.pem', 'src/../../x'])
    expect(await decided({ wildcards: src }, 'Edit', file), file).toMatch(/^ask/)
})

test('the rule that a question suggests allows this file and no other', async () => {
  const { skills } = engine([], [trustProvider(), permissionRules()], {
    host: fakeHost({ cwd: `${root}/work`, home: `${root}/home` }),
  })
  const suggested: string[] = []
  const ask = (file_path: string) =>
    askPermission(
      skills,
      { tool: 'Read', input: { file_path } },
      {
        onAsk: ({ decision: { suggestions = [] } }) => {
          suggested.push(...suggestions.flatMap(({ rules }) => rules.map(rule => rule.ruleContent ?? '')))
          return 'deny'
        },
      },
    )
  await ask('src/[a]*.ts')
  expect(suggested).toEqual([String.raw`/${root}/work/src/\[a\]\*.ts`])
  const allow = suggested.map(rule => `Read(${rule})`)
  expect(await decided({ allow }, 'Read', 'src/[a]*.ts')).toMatch(/^allow/)
  expect(await decided({ allow }, 'Read', 'src/a.ts')).toMatch(/^ask/)
  // A single rule cannot name both a link and its target.
  await ask('notes.txt')
  expect(suggested).toHaveLength(1)
})
