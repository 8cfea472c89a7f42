import { existsSync } from 'node:fs'
import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { consentItems, loadConfiguration, type Configuration, type JudgedItem } from './configuration.js'
import { settingsConsent } from './consent.js'
import { standard } from './agents/standard/index.js'
import { openState, revokeFolder, trustFolder } from './trust.js'
import type { ConfigurationData } from './configuration-schema.js'

const report = (): void => {}

function project(entries: TreeEntries) {
  const tree: TempTree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const clock = fakeClock(Date.now() + 60_000)
  const host = fakeHost({
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    env: {},
    clock,
  })
  const state = openState(host, { report })
  const engineFor = (configuration: Partial<Configuration['options']> = {}) => {
    const skills = createSkills(
      standard({ host, managed: { dirs: [] }, bundled: false, builtin: false, onDiagnostic: report, ...configuration }),
    )
    onTestFinished(() => skills.close())
    return skills
  }
  const items = async (): Promise<readonly JudgedItem[]> =>
    (await consentItems(host, { state, catalog: await engineFor().catalog() })).items
  return {
    tree,
    host,
    clock,
    state,
    items,
    engineFor,
    load: () => loadConfiguration(host, { state }),
    /** Agrees to the current form of the items for which `isMeant` is true. */
    agree: async (isMeant: (item: JudgedItem) => boolean = () => true) =>
      trustFolder(state, host.cwd, host, { items: (await items()).filter(isMeant) }),
    states: async () =>
      Object.fromEntries((await items()).map(({ kind, label, state: word }) => [`${kind} ${label}`, word])),
    canary: (name: string) => existsSync(`${tree.path}/${name}`),
  }
}

type Counts = (options: Configuration['options'], configuration: Configuration) => unknown

/** Each kind with one entry, another entry in its place, and a check that the entry has an effect. */
const kinds: readonly (readonly [string, ConfigurationData, ConfigurationData, Counts])[] = [
  [
    'rule',
    { rules: { allow: ['Bash(a)'] } },
    { rules: { allow: ['Bash(b)'] } },
    ({ rules }) => rules?.allow?.length === 1,
  ],
  [
    'server',
    { servers: { s: { command: 'a' } } },
    { servers: { s: { command: 'a', args: ['b'] } } },
    ({ mcp }) => Object.keys(mcp?.servers ?? {}).length === 1,
  ],
  [
    'plugin',
    { plugins: ['a'] },
    { plugins: [{ path: 'a', config: { x: 1 } }] },
    ({ published }) => published?.plugins?.length === 1,
  ],
  [
    'package',
    { packages: ['a'] },
    { packages: [{ name: 'a', enabled: true }] },
    ({ published }) => published?.packages?.length === 1,
  ],
  [
    'marketplace',
    { marketplaces: ['a'] },
    { marketplaces: [{ path: 'a', only: ['x'] }] },
    ({ published }) => published?.marketplaces?.length === 1,
  ],
  ['folder', { additional: ['a'] }, { additional: ['b'] }, ({ additional }) => additional?.length === 1],
  [
    'override',
    { overrides: { x: 'on' } },
    { overrides: { x: 'pinned' } },
    ({ overrides }) => Object.keys(overrides ?? {}).length === 1,
  ],
  [
    'precedence',
    { precedence: ['project', 'user'] },
    { precedence: ['project'] },
    ({ precedence }) => precedence !== undefined,
  ],
  [
    'distribution',
    { distribution: 'opencode' },
    { distribution: 'mini' },
    (_options, { distribution }) => distribution !== undefined,
  ],
  ['listing', { listing: { budget: 10 } }, { listing: { budget: 11 } }, ({ listing }) => listing !== undefined],
]

describe('a configuration in JSON: nothing counts before a yes to exactly it:', () => {
  it.each(kinds)('%s', async (kind, first, second, counts) => {
    const other: ConfigurationData = {
      rules: { allow: ['Skill(other)', ...(first.rules?.allow ?? [])], deny: ['Skill(no)'] },
    }
    const { tree, load, agree, items } = project({ 'repo/skills.config.json': JSON.stringify({ ...first, ...other }) })
    const isOther = ({ label }: JudgedItem): boolean => label === 'Skill(other)'
    const withoutOther = (configuration: Configuration): Configuration => ({
      ...configuration,
      options: {
        ...configuration.options,
        rules: {
          ...configuration.options.rules,
          allow: configuration.options.rules?.allow?.filter(
            one => typeof one !== 'object' || one.rule !== 'Skill(other)',
          ),
        },
      },
    })
    const doesCount = async (): Promise<unknown> => {
      const configuration = withoutOther(await load())
      return counts(configuration.options, configuration)
    }
    expect(await doesCount(), 'untrusted').toBe(false)
    await agree(isOther)
    expect(await doesCount(), 'after a yes to something else').toBe(false)
    expect((await load()).options.rules?.allow).toMatchObject([{ rule: 'Skill(other)' }])
    const { diagnostics } = await load()
    expect(diagnostics).toMatchObject([
      { code: 'not-agreed', message: expect.stringContaining(`the ${kind} `) as string },
    ])
    await agree()
    expect(await doesCount(), 'after a yes to it').toBe(true)
    expect((await load()).diagnostics).toEqual([])
    tree.write({
      'repo/skills.config.json': JSON.stringify({
        ...second,
        rules: { ...other.rules, allow: ['Skill(other)', ...(second.rules?.allow ?? [])] },
      }),
    })
    expect(await doesCount(), 'after a change').toBe(false)
    expect((await load()).options.rules, 'the rest is still in force').toMatchObject({
      allow: [{ rule: 'Skill(other)' }],
      deny: [{ rule: 'Skill(no)' }],
    })
    const changed = (await items()).filter(({ state }) => state !== 'agreed')
    expect(changed.map(one => one.kind)).toEqual([kind])
    await agree()
    expect(await doesCount(), 'after another yes').toBe(true)
  })

  it('files read into a text, which false switches off without a question', async () => {
    const { tree, load, agree, items } = project({ 'repo/skills.config.json': '{ "files": true }' })
    await agree(() => false)
    expect((await load()).options.files).toBeUndefined()
    await agree()
    expect((await load()).options.files).toEqual({})
    tree.write({
      'repo/skills.config.json':
        '{ "files": false, "shell": false, "hooks": false, "overrides": { "x": "off" }, "rules": { "ask": ["Bash"], "deny": ["Skill(z)"] } }',
    })
    expect(await items()).toEqual([])
    expect((await load()).options).toMatchObject({
      files: false,
      shell: false,
      hooks: false,
      overrides: { x: 'off' },
      rules: { ask: [{ rule: 'Bash' }], deny: [{ rule: 'Skill(z)' }] },
    })
  })

  it('and each item says what counts, where, and its digest', async () => {
    const { items, tree } = project({
      'repo/skills.config.json':
        '{\n "servers": {\n  "s": { "url": "http://127.0.0.1:1", "headers": { "b": "2", "a": "1" } } },\n "rules": { "allow": [\n  "Bash(x)" ] } }',
    })
    const path = `${tree.path}/repo/skills.config.json`
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string
    expect(await items()).toEqual([
      {
        kind: 'server',
        label: 's',
        path,
        line: 3,
        state: 'new',
        digest,
        text: '{\n  "headers": {\n    "a": "1",\n    "b": "2"\n  },\n  "url": "http://127.0.0.1:1"\n}',
      },
      {
        kind: 'rule',
        label: 'Bash(x)',
        path,
        line: expect.any(Number) as number,
        state: 'new',
        digest,
        text: 'Bash(x)',
      },
    ])
  })
})

describe('a configuration in code', () => {
  const writes = (name: string, path: string, rest = ''): string =>
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(`${path}/${name}`)}, '')\n${rest}`

  it('runs as the text that was agreed to, with each file that it imports', async () => {
    const { tree, load, agree, states, canary } = project({})
    tree.write({
      'repo/skills.config.mjs': writes(
        'top',
        tree.path,
        "import { rules } from './lib/rules.mjs'\nexport default async () => ({ rules, additional: (await import('./lib/late.js')).default, overrides: { [import.meta.dirname]: 'on' } })",
      ),
      'repo/lib/rules.mjs': writes(
        'low',
        tree.path,
        "import data from './data.json' with { type: 'json' }\nexport const rules = data\n",
      ),
      'repo/lib/data.json': '{ "allow": ["Bash(a)"] }',
      'repo/lib/late.js': "export default ['more']\n",
    })
    const ran = (): readonly boolean[] => [canary('top'), canary('low')]
    await load()
    expect(ran()).toEqual([false, false])
    await agree(({ label }) => label !== './lib/rules.mjs')
    expect((await load()).files).toMatchObject([{ state: 'untrusted' }])
    expect(ran()).toEqual([false, false])
    expect(await states()).toEqual({
      'module skills.config.mjs': 'agreed',
      'module ./lib/rules.mjs': 'new',
      'module ./lib/late.js': 'agreed',
      'module ./lib/data.json': 'agreed',
    })
    await agree()
    expect((await load()).options).toMatchObject({
      rules: { allow: [{ rule: 'Bash(a)' }] },
      additional: [`${tree.path}/repo/more`],
      overrides: { [`${tree.path}/repo`]: 'on' },
    })
    expect(ran()).toEqual([true, true])
    tree.write({ 'repo/lib/data.json': '{ "allow": ["Bash"] }' })
    expect(await load()).toMatchObject({
      options: {},
      diagnostics: [{ code: 'not-agreed', message: expect.stringContaining('"./lib/data.json" is changed') as string }],
    })
  })

  it('is what was read, also when it is replaced before it is imported', async () => {
    const { tree, host, state, agree } = project({
      'repo/skills.config.mjs': 'export default { additional: ["agreed"] }',
      'repo/dep.mjs': '',
    })
    await agree()
    const importModule = (url: string): Promise<unknown> => {
      tree.write({ 'repo/skills.config.mjs': 'export default { additional: ["swapped"] }' })
      return import(url)
    }
    expect((await loadConfiguration(host, { state, importModule })).options.additional).toEqual([
      `${tree.path}/repo/agreed`,
    ])
  })

  it.each([
    ['a package', "import 'left-pad'", 'imports "left-pad"'],
    ['an absolute path', "import '/etc/x.mjs'", 'imports "/etc/x.mjs"'],
    ['an address', "import 'file:///x.mjs'", 'imports "file:///x.mjs"'],
    ['text as an address', "import 'data:text/javascript,1'", 'imports "data:text/javascript,1"'],
    ['another spelling', "import './%61.mjs'", 'imports "./%61.mjs"'],
    [
      'what only shows when it runs',
      "await import('./' + 'x.mjs')",
      'imports a file whose name is known only when the code runs',
    ],
    ['CommonJS', "import './x.cjs'", 'which is not a .mjs, .js or .json file'],
    ['what is not there', "import './gone.mjs'", 'does not exist'],
    ['what lies outside', "import '../outside.mjs'", 'cannot be read'],
    ['a link that leads outside', "import './link.mjs'", 'cannot be read'],
    ['itself', "import './skills.config.mjs'", 'imports itself'],
  ])('that imports %s is refused with its line', async (_what, line, problem) => {
    const { load, agree } = project({
      'repo/skills.config.mjs': `// First.\n${line}\nexport default {}`,
      'outside.mjs': '',
      'repo/link.mjs': { link: '../outside.mjs' },
      'repo/x.cjs': '',
    })
    await agree()
    const { files, diagnostics } = await load()
    expect(files).toMatchObject([{ state: 'failed' }])
    expect(diagnostics).toMatchObject([
      { code: 'invalid-configuration', message: expect.stringContaining(problem) as string },
    ])
  })

  it('that cannot be bound is no item, and a problem with its line', async () => {
    const { host, state } = project({ 'repo/skills.config.mjs': "// First.\nimport 'left-pad'" })
    expect(await consentItems(host, { state })).toMatchObject({
      items: [],
      problems: [{ line: 2, message: expect.stringContaining('imports "left-pad"') as string }],
    })
  })

  it('whose files import one another in ever more ways is refused before it is too large', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `repo/f${at}.mjs`,
        at === 59 ? 'export {}' : `import './f${at + 1}.mjs'; export * from './f${at + 1}.mjs'`,
      ]),
    )
    const { load, agree } = project({ ...files, 'repo/skills.config.mjs': "import './f0.mjs'; export default {}" })
    await agree()
    expect(await load()).toMatchObject({
      files: [{ state: 'failed' }],
      diagnostics: [{ message: expect.stringContaining('is too large') as string }],
    })
  })

  it('that waits for ever is given up', async () => {
    const { clock, load, agree } = project({
      'repo/skills.config.mjs': 'await new Promise(() => setInterval(() => {}, 60_000).unref())\nexport default {}',
    })
    await agree()
    const loaded = load()
    await vi.waitFor(() => expect(clock.pending).toBe(1))
    await clock.advance(10_000)
    expect(await loaded).toMatchObject({
      files: [{ state: 'failed' }],
      diagnostics: [{ message: expect.stringContaining('Loading took longer than 10000 ms.') as string }],
    })
  })
})

describe("rules of a project's settings", () => {
  const settings = (...allow: readonly string[]): TreeEntries => ({
    'repo/.claude/settings.json': JSON.stringify({
      permissions: { allow, ask: ['Skill(asked)'], deny: ['Skill(never)'] },
    }),
  })
  const skill = (name: string): TreeEntries => ({
    [`home/.claude/skills/${name}/SKILL.md`]: '---\ndescription: x\nmodel: large\n---\nx',
  })

  it('allow once they were agreed to, each by itself', async () => {
    const { tree, engineFor, agree, host, state, states } = project({
      ...settings('Skill(one)', 'Skill(two)'),
      ...skill('one'),
      ...skill('two'),
      ...skill('three'),
    })
    const skills = engineFor()
    const decides = async (name: string) => {
      const entry = (await skills.catalog()).entries.find(one => one.name === name)
      if (entry === undefined) throw new Error(name)
      const { behavior, message } = await new Invoker(skills).decideBeforeAsking({
        tool: 'Skill',
        content: name,
        entry,
        args: '',
        caller: 'model',
      })
      return behavior === 'ask' && message.includes('does not count') ? 'ask, and says why' : behavior
    }
    expect(await decides('one')).toBe('ask')
    await agree(({ label }) => label === 'Skill(two)')
    expect([await decides('one'), await decides('two')]).toEqual(['ask, and says why', 'allow'])
    expect((await settingsConsent(host, { state })).diagnostics).toMatchObject([
      { code: 'not-agreed', message: expect.stringContaining('"Skill(one)" is new') as string },
    ])
    await agree()
    expect([await decides('one'), await decides('two')]).toEqual(['allow', 'allow'])
    tree.write(settings('Skill', 'Skill(two)'))
    expect([await decides('one'), await decides('two'), await decides('three')]).toEqual([
      'ask, and says why',
      'allow',
      'ask, and says why',
    ])
    expect(await states()).toMatchObject({ 'rule Skill': 'new', 'rule Skill(two)': 'agreed' })
    await revokeFolder(state, host.cwd, host)
    expect(await decides('two')).toBe('ask')
  })
})

describe('skills', () => {
  it('are items with what they do, whole, and one that is only to be read is none', async () => {
    const { tree, items, agree, states } = project({
      'repo/.claude/skills/runs/SKILL.md':
        '---\ndescription: x\nallowed-tools: Read\nhooks:\n  PreToolUse: []\nmodel: large\n---\n!`git status`\n',
      'repo/.claude/skills/reads/SKILL.md': '---\ndescription: x\n---\nx',
      'home/.claude/skills/mine/SKILL.md': '---\ndescription: x\n---\n!`mine`',
    })
    expect((await items()).map(({ kind, label, text, state }) => [kind, label, text, state])).toEqual([
      ['skill', 'runs', 'runs: git status\nallows itself: Read\nhooks: {"PreToolUse":[]}\nmodel: large', 'new'],
    ])
    await agree()
    expect(await states()).toEqual({ 'skill runs': 'agreed' })
    tree.write({ 'repo/.claude/skills/runs/script.sh': 'x' })
    expect(await states()).toEqual({ 'skill runs': 'changed' })
  })

  it('say in explain that they changed, or are new', async () => {
    const runs = (script: string): string => `---\ndescription: x\nmodel: large\n---\n!\`${script}\``
    const { tree, agree, engineFor } = project({ 'repo/.claude/skills/runs/SKILL.md': runs('one') })
    const notes = async (name: string): Promise<string> =>
      (await engineFor().explain(name)).notes.map(({ text }) => text).join(' ')
    await agree()
    expect(await notes('runs')).not.toMatch(/since .* trusted/)
    tree.write({ 'repo/.claude/skills/runs/SKILL.md': runs('two'), 'repo/.claude/skills/later/SKILL.md': runs('one') })
    expect(await notes('runs')).toMatch(/: SKILL\.md changed\./)
    expect(await notes('later')).toMatch(/added after its folder was trusted/)
  })
})

it('a folder that was trusted before items were remembered has to be agreed to again, and one sentence says so', async () => {
  const { host, state, load, agree } = project({
    'repo/skills.config.json': '{ "additional": ["more"], "shell": false, "rules": { "deny": ["Skill(z)"] } }',
    'repo/.claude/settings.json': '{"permissions":{"allow":["Skill"]}}',
  })
  await state.update('trust', () => ({ folders: [{ path: host.cwd, since: 1 }] }), {
    signal: new AbortController().signal,
  })
  const sentence = expect.stringContaining(
    'The folder was trusted by an earlier version, which did not record agreement',
  ) as string
  const { options, diagnostics } = await load()
  expect([options, diagnostics]).toMatchObject([
    { shell: false, rules: { deny: [{ rule: 'Skill(z)' }] } },
    [{ code: 'not-agreed', message: sentence }],
  ])
  expect(options.additional).toEqual([])
  expect((await settingsConsent(host, { state })).diagnostics).toMatchObject([{ message: sentence }])
  await agree()
  expect((await load()).options.additional).toHaveLength(1)
  expect((await settingsConsent(host, { state })).diagnostics).toEqual([])
})
