import { existsSync, rmSync } from 'node:fs'
import { createSkills, defineProvider, processHost, type Skills } from '@skills/core'
import { decide, endSession, Invoker, startSession } from '@skills/invocation'
import { tempTree, type TreeEntries } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { consentItems, loadConfiguration, type JudgedItem } from './configuration.js'
import { standard, type StandardOptions } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

const report = (): void => {}

/** Makes a project, and an engine over it that starts everything it may start. */
function project(entries: TreeEntries, more: Pick<StandardOptions, 'plugins'> = {}) {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const host = processHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: { PATH: process.env['PATH'] } })
  const state = openState(host, { report })
  const withEngine = async <T>(work: (skills: Skills) => Promise<T>): Promise<T> => {
    const { options } = await loadConfiguration(host, { state })
    const skills = createSkills(
      standard({
        host,
        managed: { dirs: [] },
        bundled: false,
        builtin: false,
        onDiagnostic: report,
        ...options,
        // On a busy machine, starting a server may take longer than a list waits for it.
        ...(options.mcp && { mcp: { ...options.mcp, waitMs: Infinity } }),
        ...more,
      }),
    )
    try {
      return await work(skills)
    } finally {
      await skills.close()
    }
  }
  const items = async (): Promise<readonly JudgedItem[]> =>
    withEngine(async skills => (await consentItems(host, { state, catalog: await skills.catalog() })).items)
  return {
    tree,
    withEngine,
    items,
    agree: async (isMeant: (item: JudgedItem) => boolean = () => true) =>
      trustFolder(state, host.cwd, host, { items: (await items()).filter(isMeant) }),
    /** Returns true if a program has left its file since the last call. */
    ran(name: string): boolean {
      const is = existsSync(`${tree.path}/${name}`)
      rmSync(`${tree.path}/${name}`, { force: true })
      return is
    },
    changed: async () =>
      (await items()).filter(({ state: word }) => word !== 'agreed').map(({ kind, label }) => `${kind} ${label}`),
  }
}

const rule = 'Skill(other)'
const isRule = ({ kind }: JudgedItem): boolean => kind === 'rule'

/** Settings with a rule that stays agreed to. It has to apply from the first yes on. */
const settings: TreeEntries = { 'repo/.claude/settings.json': JSON.stringify({ permissions: { allow: [rule] } }) }

const asks = (skills: Skills, answer: 'allow' | 'deny' = 'allow'): Invoker =>
  new Invoker(skills, { onAsk: () => answer })

it('a server is started after the yes to it, and not before, nor once its entry changed', async () => {
  const server = (name: string, canary: string) => ({
    'repo/skills.config.json': JSON.stringify({
      servers: { [name]: { command: process.execPath, args: ['server.mjs', canary] } },
    }),
  })
  const { tree, withEngine, agree, ran, changed } = project({
    ...settings,
    ...server('shop', '../one'),
    'repo/server.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync(process.argv[2], '')\n",
  })
  const list = async (): Promise<void> =>
    withEngine(async skills => {
      await skills.catalog()
    })
  await list()
  expect(ran('one'), 'before any yes').toBe(false)
  await agree(isRule)
  await list()
  expect(ran('one'), 'after a yes to something else').toBe(false)
  await agree()
  expect(ran('one'), 'the preview').toBe(false)
  await list()
  expect(ran('one'), 'after the yes').toBe(true)
  tree.write(server('shop', '../two'))
  await list()
  expect([ran('one'), ran('two')], 'after a change').toEqual([false, false])
  expect(await changed()).toEqual(['server shop'])
  await agree()
  await list()
  expect(ran('two'), 'after another yes').toBe(true)
})

const hook = (canary: string): string =>
  `---\ndescription: x\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch ../${canary}\n---\nx`
const embeds = (canary: string): string => `---\ndescription: x\n---\n!\`touch ../${canary}\``

it.each([
  ['a hook', hook],
  ['an embedded command', embeds],
])('%s of a skill runs in a trusted folder after the yes to the skill as it is', async (_what, skill) => {
  const { tree, withEngine, agree, ran } = project({ ...settings, 'repo/.claude/skills/runs/SKILL.md': skill('one') })
  const invoke = async (answer: 'allow' | 'deny'): Promise<void> =>
    withEngine(async skills => {
      await asks(skills, answer)
        .invoke({ name: 'runs', caller: 'user' })
        .catch(() => undefined)
      await decide(skills, 'PreToolUse', { toolName: 'Bash', toolInput: { command: 'ls' } })
    })
  await invoke('allow')
  expect(ran('one'), 'whose folder no one trusts').toBe(false)
  await agree(isRule)
  await invoke('deny')
  expect(ran('one'), 'after a yes to something else').toBe(false)
  await agree()
  expect(ran('one'), 'the preview').toBe(false)
  await invoke('allow')
  expect(ran('one'), 'after the yes').toBe(true)
  tree.write({ 'repo/.claude/skills/runs/SKILL.md': skill('two') })
  await invoke('deny')
  expect([ran('one'), ran('two')], 'after a change').toEqual([false, false])
  await invoke('allow')
  expect(ran('two'), 'after another yes').toBe(true)
})

it('an agent of a trusted project sets prompt, model and effort of a fork after the yes to it as it is, and takes tools away before', async () => {
  const agent = (model: string): TreeEntries => ({
    'repo/.claude/agents/reviewer.md': `---\nmodel: ${model}\neffort: high\ntools: Read\n---\nObey ${model}.`,
  })
  const requests: unknown[] = []
  const runner = defineProvider({
    kind: 'runner',
    id: 'scripted',
    setup: () => ({
      run: ({ model, effort, system, tools }) => ({ text: String(requests.push([model, effort, system, tools.only])) }),
    }),
  })
  const { tree, withEngine, agree, changed } = project(
    {
      ...settings,
      ...agent('one'),
      'home/.claude/skills/fork/SKILL.md': '---\ndescription: x\ncontext: fork\nagent: reviewer\n---\nx',
    },
    { plugins: [runner] },
  )
  const fork = async (): Promise<unknown> =>
    withEngine(async skills => {
      await asks(skills).invoke({ name: 'fork', caller: 'user' })
      return requests.at(-1)
    })
  const limited = [undefined, undefined, undefined, ['Read']]
  expect(await fork(), 'before any yes').toEqual(limited)
  await agree(isRule)
  expect(await fork(), 'after a yes to something else').toEqual(limited)
  await agree()
  expect(await fork(), 'after the yes').toEqual(['one', 'high', 'Obey one.', ['Read']])
  tree.write(agent('two'))
  expect(await fork(), 'after a change').toEqual(limited)
  expect(await changed()).toEqual(['agent reviewer'])
  await agree()
  expect(await fork(), 'after another yes').toEqual(['two', 'high', 'Obey two.', ['Read']])
})

const plugin = (canary: string): TreeEntries => ({
  'repo/acme/.claude-plugin/plugin.json': '{ "name": "acme" }',
  'repo/acme/skills/deploy/SKILL.md': embeds(canary),
  'repo/acme/hooks/hooks.json': JSON.stringify({
    SessionStart: [{ hooks: [{ type: 'command', command: `touch ../${canary}` }] }],
  }),
})

it('a hook of a plugin that only the project names never runs, nor what its skills embed, and does once the user names the plugin', async () => {
  const { tree, withEngine, agree, ran, items } = project({
    ...plugin('ran'),
    'repo/skills.config.json': '{ "plugins": ["acme"] }',
  })
  const use = async (): Promise<void> =>
    withEngine(async skills => {
      await startSession(skills)
      await asks(skills)
        .invoke({ name: 'acme:deploy', caller: 'user' })
        .catch(() => undefined)
      await endSession(skills)
    })
  await use()
  expect(ran('ran')).toBe(false)
  await agree()
  expect((await items()).map(({ kind, state }) => `${kind} ${state}`)).toEqual(['plugin agreed'])
  expect(await withEngine(async skills => (await skills.catalog()).entries.map(({ name }) => name))).toEqual([
    'acme:deploy',
  ])
  await use()
  expect(ran('ran')).toBe(false)
  rmSync(`${tree.path}/repo/skills.config.json`)
  tree.write({ 'home/.config/skills/skills.config.json': JSON.stringify({ plugins: [`${tree.path}/repo/acme`] }) })
  await use()
  expect(ran('ran')).toBe(true)
})

/** Cases: what names a file, the file that changes, and its text before and after. */
const named: readonly (readonly [
  what: string,
  config: object,
  kind: string,
  file: string,
  before: string,
  after: string,
])[] = [
  [
    'the manifest of a plugin',
    { plugins: ['acme'] },
    'plugin acme',
    'acme/.claude-plugin/plugin.json',
    '{ "name": "acme" }',
    '{ "name": "acme", "version": "2" }',
  ],
  [
    'hooks of a plugin',
    { plugins: ['acme'] },
    'plugin acme',
    'acme/hooks/hooks.json',
    '{}',
    '{ "Stop": [{ "hooks": [{ "command": "touch x" }] }] }',
  ],
  [
    'hooks that a manifest names',
    { plugins: ['named'] },
    'plugin named',
    'named/own.json',
    '{}',
    '{ "Stop": [{ "hooks": [{ "command": "touch x" }] }] }',
  ],
  [
    'what a package file says of a plugin',
    { packages: ['tools'] },
    'package tools',
    'node_modules/tools/package.json',
    '{ "name": "tools", "skillsPaths": ["./skills"] }',
    '{ "name": "tools", "skillsPaths": ["./skills", "./more"] }',
  ],
  [
    'a marketplace',
    { marketplaces: ['shop'] },
    'marketplace shop',
    'shop/.claude-plugin/marketplace.json',
    '{ "name": "shop", "owner": { "name": "x" }, "plugins": [{ "name": "acme", "source": "./acme" }] }',
    '{ "name": "shop", "owner": { "name": "x" }, "plugins": [{ "name": "acme", "source": "./acme", "version": "2" }] }',
  ],
  [
    'the manifest of a plugin of a marketplace',
    { marketplaces: ['shop'] },
    'marketplace shop',
    'shop/acme/.claude-plugin/plugin.json',
    '{ "name": "acme" }',
    '{ "name": "acme", "version": "2" }',
  ],
]

it.each(named)(
  '%s counts as it was agreed to, and a change of it asks again for itself alone',
  async (_what, config, item, file, before, after) => {
    const skill = '---\ndescription: x\n---\nx'
    const { tree, withEngine, agree, changed, items } = project({
      ...settings,
      'repo/skills.config.json': JSON.stringify(config),
      'repo/acme/skills/deploy/SKILL.md': skill,
      'repo/named/skills/deploy/SKILL.md': skill,
      'repo/named/.claude-plugin/plugin.json': '{ "name": "named", "hooks": "./own.json" }',
      'repo/node_modules/tools/package.json': '{}',
      'repo/node_modules/tools/skills/deploy/SKILL.md': skill,
      'repo/shop/.claude-plugin/marketplace.json':
        '{ "name": "shop", "owner": { "name": "x" }, "plugins": [{ "name": "acme", "source": "./acme" }] }',
      'repo/shop/acme/skills/deploy/SKILL.md': skill,
      [`repo/${file}`]: before,
    })
    const counts = async (): Promise<boolean> => withEngine(async skills => (await skills.catalog()).entries.length > 0)
    expect(await counts(), 'before any yes').toBe(false)
    await agree(isRule)
    expect(await counts(), 'after a yes to something else').toBe(false)
    await agree()
    expect(await counts(), 'after the yes').toBe(true)
    tree.write({ [`repo/${file}`]: after })
    expect(await counts(), 'after a change').toBe(false)
    expect(await changed()).toEqual([item])
    expect((await items()).find(({ state }) => state === 'changed')?.text).toContain(
      after.includes('touch x') ? 'touch x' : after.includes('./more') ? './more' : '"version": "2"',
    )
    await agree()
    expect(await counts(), 'after another yes').toBe(true)
  },
)

it('what is not read of a package file asks for nothing', async () => {
  const { tree, agree, changed } = project({
    'repo/skills.config.json': '{ "packages": ["tools"] }',
    'repo/node_modules/tools/package.json': '{ "name": "tools", "skillsPaths": ["./skills"] }',
    'repo/node_modules/tools/skills/a/SKILL.md': 'x',
  })
  await agree()
  tree.write({
    'repo/node_modules/tools/package.json':
      '{ "name": "tools", "skillsPaths": ["./skills"], "dependencies": { "x": "1" } }',
  })
  expect(await changed()).toEqual([])
})

it.each(['formatter', 'permission'])(
  'a %s of a configuration in code is imported after the yes to it, and not once it changed',
  async kind => {
    const code = (canary: string): TreeEntries => ({
      'repo/skills.config.mjs': [
        "import { writeFileSync } from 'node:fs'",
        `const ran = what => writeFileSync(import.meta.dirname + '/../${canary}-' + what, '')`,
        "ran('read')",
        `export default { providers: [{ kind: '${kind}', id: 'mine', setup() { ran('made'); return {} } }] }`,
      ].join('\n'),
    })
    const { tree, withEngine, agree, ran, changed } = project({ ...settings, ...code('one') })
    const use = async (): Promise<void> =>
      withEngine(async skills => {
        await skills.use(kind as 'permission').first(() => undefined, { signal: new AbortController().signal })
      })
    const both = (canary: string): readonly boolean[] => [ran(`${canary}-read`), ran(`${canary}-made`)]
    await use()
    expect(both('one'), 'before any yes').toEqual([false, false])
    await agree(isRule)
    await use()
    expect(both('one'), 'after a yes to something else').toEqual([false, false])
    await agree()
    await use()
    expect(both('one'), 'after the yes').toEqual([true, true])
    tree.write(code('two'))
    await use()
    expect([...both('one'), ...both('two')], 'after a change').toEqual([false, false, false, false])
    expect(await changed()).toEqual(['module skills.config.mjs'])
  },
)
