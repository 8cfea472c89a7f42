import { existsSync } from 'node:fs'
import { createSkills, type Diagnostic } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { consentItems, loadConfiguration, type Configuration } from './configuration.js'
import { distributionNames } from './distribution-named.js'
import { standard } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  return tree
}

function hostOf({ path }: TempTree, cwd = 'repo') {
  return fakeHost({
    cwd: `${path}/${cwd}`,
    home: `${path}/home`,
    uid: process.getuid?.(),
    env: {},
    clock: fakeClock(Date.now() + 60_000),
  })
}

const report = (): void => {}

async function load(tree: TempTree, { isTrusted = true, cwd = 'repo' } = {}): Promise<Configuration> {
  const host = hostOf(tree, cwd)
  const state = openState(host, { report })
  if (isTrusted)
    await trustFolder(state, `${tree.path}/repo`, host, { items: (await consentItems(host, { state })).items })
  return loadConfiguration(host, { state })
}

function told({ diagnostics }: Configuration, { path }: TempTree): readonly string[] {
  return diagnostics.map(
    ({ code, path: at, line, message }) =>
      `${code} ${at?.replace(`${path}/`, '')}${line === undefined ? '' : `:${line}`} ${message.replaceAll(`${path}/`, '')}`,
  )
}

describe('a configuration', () => {
  it('of no one says nothing', async () => {
    expect(await load(temporary({}))).toEqual({ options: {}, files: [], unagreed: [], diagnostics: [] })
  })

  it('of the user counts always, that of a project once it is trusted, and then it comes first', async () => {
    const tree = temporary({
      'home/.config/skills/skills.config.json': JSON.stringify({
        overrides: { a: 'off', b: 'off' },
        additional: ['mine'],
        rules: { allow: ['Skill(x)'] },
        listing: { budget: 100 },
      }),
      'repo/skills.config.json': JSON.stringify({
        overrides: { b: 'pinned' },
        additional: ['./shared'],
        rules: { allow: ['Skill(y)'], deny: ['Skill(z)'] },
        plugins: ['tools/plugin'],
        listing: { budget: 200 },
      }),
    })
    const { options, files, diagnostics } = await load(tree)
    const [user, project] = [`${tree.path}/home/.config/skills`, `${tree.path}/repo`]
    expect(diagnostics).toEqual([])
    expect(files.map(({ from, state }) => [from, state])).toEqual([
      ['user', 'loaded'],
      ['project', 'loaded'],
    ])
    expect(options).toEqual({
      overrides: { a: 'off', b: 'pinned' },
      additional: [`${project}/shared`, `${user}/mine`],
      listing: { budget: 200 },
      published: { plugins: [{ path: `${project}/tools/plugin`, from: 'project' }] },
      rules: {
        allow: [
          { rule: 'Skill(y)', source: `${project}/skills.config.json` },
          { rule: 'Skill(x)', source: `${user}/skills.config.json` },
        ],
        deny: [{ rule: 'Skill(z)', source: `${project}/skills.config.json` }],
      },
    })
  })

  it("of the user counts in what the listing is to be, but where the project says otherwise; of the precedence the project's counts alone", async () => {
    const tree = temporary({
      'home/.config/skills/skills.config.json':
        '{ "listing": { "budget": 4000, "maxDescription": 100 }, "precedence": ["user", "project"] }',
      'repo/skills.config.json': '{ "listing": { "budget": 200 } }',
    })
    expect((await load(tree)).options).toEqual({
      listing: { budget: 200, maxDescription: 100 },
      precedence: ['user', 'project'],
    })
    tree.write({ 'repo/skills.config.json': '{ "precedence": ["project"] }' })
    expect((await load(tree)).options).toEqual({
      listing: { budget: 4000, maxDescription: 100 },
      precedence: ['project'],
    })
  })

  it('of a project that is not trusted says only what it denies', async () => {
    const tree = temporary({
      'repo/skills.config.json': JSON.stringify({
        overrides: { a: 'pinned' },
        plugins: ['p'],
        rules: { allow: ['Skill'], ask: ['Skill(b)'], deny: ['Skill(z)'] },
      }),
    })
    const configuration = await load(tree, { isTrusted: false })
    expect(configuration.options).toEqual({
      rules: { deny: [{ rule: 'Skill(z)', source: `${tree.path}/repo/skills.config.json` }] },
    })
    expect(told(configuration, tree)).toEqual([
      expect.stringMatching(/^untrusted-configuration repo\/skills\.config\.json /),
    ])
  })

  it('names servers, which are started where it lies', async () => {
    const tree = temporary({
      'home/.config/skills/skills.config.json':
        '{ "servers": { "notes": { "url": "http://127.0.0.1:1/mcp" }, "shop": { "command": "old" } } }',
      'repo/skills.config.json':
        '{ "servers": { "shop": { "command": "node", "args": ["server.mjs"], "cwd": "tools" } } }',
    })
    const { options } = await load(tree)
    expect(options.mcp?.servers).toEqual({
      notes: { url: 'http://127.0.0.1:1/mcp', from: 'user' },
      shop: { command: 'node', args: ['server.mjs'], cwd: `${tree.path}/repo/tools`, from: 'project' },
    })
    expect((await load(tree, { isTrusted: false })).options.mcp?.servers).toEqual(options.mcp?.servers)
  })

  it("chooses a distribution: the project's before the user's, once it is trusted", async () => {
    const tree = temporary({
      'home/.config/skills/skills.config.json': '{ "distribution": "mini" }',
      'repo/skills.config.json': '{ "distribution": "opencode" }',
    })
    expect((await load(tree, { isTrusted: false })).distribution).toBe('mini')
    const { distribution, options } = await load(tree)
    expect({ distribution, options }).toEqual({ distribution: 'opencode', options: {} })
    tree.write({ 'repo/skills.config.json': '{}' })
    expect((await load(tree)).distribution).toBe('mini')
    tree.write({ 'home/.config/skills/skills.config.json': '{ "distribution": "minni" }' })
    expect((await load(tree)).distribution).toBeUndefined()
  })

  it('in code chooses one too, and may ask the host', async () => {
    const tree = temporary({
      'repo/skills.config.mjs':
        "export default ({ cwd }) => ({ distribution: cwd.endsWith('/repo') ? 'cocode' : 'mini' })",
    })
    expect((await load(tree)).distribution).toBe('cocode')
  })

  it('in code runs only once its folder is trusted', async () => {
    const tree = temporary({})
    tree.write({
      'repo/skills.config.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(`${tree.path}/ran`)}, '')\nexport default ({ cwd }) => ({ additional: [cwd + '/more'], providers: [] })`,
    })
    const before = await load(tree, { isTrusted: false })
    expect([before.options, before.files[0]?.state, existsSync(`${tree.path}/ran`)]).toEqual([{}, 'untrusted', false])
    const after = await load(tree)
    expect([after.options, after.files[0]?.state, existsSync(`${tree.path}/ran`)]).toEqual([
      { additional: [`${tree.path}/repo/more`], plugins: [] },
      'loaded',
      true,
    ])
  })

  it("is the nearest of the project's, and in code before JSON", async () => {
    const tree = temporary({
      'repo/skills.config.json': '{"shell":false}',
      'repo/web/skills.config.mjs': 'export default { files: true }',
      'repo/web/skills.config.json': '{"files":false}',
      'repo/web/deep/x': '',
    })
    const configuration = await load(tree, { cwd: 'repo/web/deep' })
    expect(configuration.options).toEqual({ files: {} })
    expect(told(configuration, tree)).toEqual([
      expect.stringMatching(/^second-configuration repo\/web\/skills\.config\.json .*repo\/web\/skills\.config\.mjs /),
    ])
  })

  it('cannot switch embedded commands or files on that the user switched off', async () => {
    const tree = temporary({
      'home/.config/skills/skills.config.json': '{"shell":false,"files":false}',
      'repo/skills.config.json': '{"shell":true,"files":true,"activation":false,"bundled":false}',
    })
    expect((await load(tree)).options).toEqual({ shell: false, files: false, activation: false, bundled: false })
  })
})

describe('a configuration that is wrong says nothing at all, and what is wrong with it:', () => {
  it.each<[string, string, string]>([
    [
      'no JSON',
      '{\n "shell": false\n "files": true }',
      'invalid-configuration repo/skills.config.json:3 The configuration is not JSON',
    ],
    ['empty', '', 'invalid-configuration repo/skills.config.json The configuration is empty.'],
    ['a list', '[]', 'invalid-configuration repo/skills.config.json The configuration must be an object.'],
    [
      'a wrong type',
      '{\n "shell": false,\n "additional": "x"\n}',
      'invalid-configuration repo/skills.config.json:3 "additional" of the configuration must be a list of texts.',
    ],
    [
      'a wrong word',
      '{\n "overrides": {\n  "deploy": "of" } }',
      'invalid-configuration repo/skills.config.json:3 "overrides.deploy" of the configuration must be on, name-only, user-only, off or pinned.',
    ],
    [
      'a wrong element',
      '{ "plugins": ["a", 3] }',
      'invalid-configuration repo/skills.config.json:1 "plugins[1]" of the configuration must be a path, or an object with one.',
    ],
    [
      'an unknown distribution',
      '{ "distribution": "other" }',
      `invalid-configuration repo/skills.config.json:1 "distribution" of the configuration must be one of ${distributionNames.join(', ')}, a path such as ./acme.js, or an installed package.`,
    ],
    [
      'a misspelt distribution',
      '{\n "shell": false,\n "distribution": "open-code" }',
      `skills.config.json:3 "distribution" of the configuration must be one of ${distributionNames.join(', ')}, a path such as ./acme.js, or an installed package; the closest is "opencode".`,
    ],
    [
      'a distribution that is no text',
      '{ "distribution": 3 }',
      'skills.config.json:1 "distribution" of the configuration must be one of standard, ',
    ],
  ])('%s', async (_what, text, expected) => {
    const tree = temporary({ 'repo/skills.config.json': text })
    const configuration = await load(tree)
    expect(configuration).toMatchObject({ options: {}, files: [{ state: 'failed' }] })
    expect(told(configuration, tree)).toEqual([expect.stringContaining(expected) as string])
  })

  it.each<[string, string, string]>([
    ['that throws', 'throw new Error("No.")', 'The configuration could not be loaded: No.'],
    ['that does not parse', 'export default {', 'skills.config.mjs:1 The configuration cannot be parsed as a module.'],
    ['that exports nothing', 'export const a = 1', 'The configuration has no default export.'],
    [
      'whose function throws',
      'export default () => { throw new Error("Not here.") }',
      'The configuration could not be loaded: Not here.',
    ],
    ['whose providers are none', 'export default { providers: {} }', '"providers" must be a list of plugins.'],
  ])('code %s', async (_what, text, expected) => {
    const tree = temporary({ 'repo/skills.config.mjs': text })
    const configuration = await load(tree)
    expect(configuration).toMatchObject({ options: {}, files: [{ state: 'failed' }] })
    expect(told(configuration, tree)).toEqual([expect.stringContaining(expected) as string])
  })

  it.each<[string, TreeEntries, string]>([
    [
      'no JSON',
      { 'repo/skills.config.json': '{\n "rules": { "deny": ["Skill(a)",] }\n}' },
      'the rules of repo/skills.config.json:2:33 cannot be read: The configuration is not JSON: ',
    ],
    [
      'rules that are none',
      { 'repo/skills.config.json': '{ "rules": { "deny": "Skill(a)" } }' },
      'the rules of repo/skills.config.json:1 cannot be read: "rules.deny" of the configuration must be',
    ],
    [
      'something else that is wrong',
      { 'repo/skills.config.json': '{ "rules": { "deny": ["Skill(a)"] }, "additional": 7 }' },
      'the rules of repo/skills.config.json:1 cannot be read: "additional" of the configuration must be',
    ],
    [
      'a key twice',
      { 'repo/skills.config.json': '{ "rules": { "deny": ["Skill(a)"],\n"deny": [] } }' },
      'the rules of repo/skills.config.json:2 cannot be read: The configuration has "rules.deny" twice',
    ],
    [
      'another key twice',
      { 'repo/skills.config.json': '{ "rules": { "deny": ["Skill(a)"] },\n"rules": {} }' },
      'the rules of repo/skills.config.json:2 cannot be read: The configuration has "rules" twice',
    ],
    [
      'a link to nothing',
      { 'repo/skills.config.json': { link: 'gone.json' } },
      'the rules of repo/skills.config.json cannot be read: ',
    ],
    [
      'more than a file may have',
      { 'repo/skills.config.json': ' '.repeat(1_048_577) },
      'the rules of repo/skills.config.json cannot be read: repo/skills.config.json has 1048577 bytes',
    ],
    [
      'more denials than anyone writes',
      {
        'repo/skills.config.json': JSON.stringify({ rules: { deny: Array.from({ length: 1001 }, () => 'Skill(a)') } }),
      },
      'the rules of repo/skills.config.json cannot be read: The configuration has 1001 deny rules',
    ],
  ])('the rules in it, though no one trusts the project: %s', async (_what, entries, problem) => {
    const tree = temporary(entries)
    const { options, diagnostics } = await load(tree, { isTrusted: false })
    expect(options.rules?.unreadable?.map(one => one.problem.replaceAll(`${tree.path}/`, ''))).toEqual([
      expect.stringContaining(problem) as string,
    ])
    expect(diagnostics).toMatchObject([{ severity: 'error', hint: expect.stringContaining('asked about') as string }])
  })

  it('no rules, where it is sure that there are none', async () => {
    for (const isTrusted of [true, false]) {
      expect(
        (await load(temporary({ 'repo/skills.config.json': '{ "additional": 7 }' }), { isTrusted })).options,
      ).toEqual({})
    }
    expect(
      (await load(temporary({ 'repo/skills.config.mjs': 'export default {' }))).options.rules?.unreadable,
    ).toHaveLength(1)
    expect(
      (await load(temporary({ 'repo/skills.config.mjs': 'export default {' }), { isTrusted: false })).options,
    ).toEqual({})
  })

  it('rules that deny, so that an engine asks about everything', async () => {
    const tree = temporary({
      'home/.config/skills/skills.config.json': '{ "rules": { "deny": ["Skill(a)"], } }',
      'repo/.claude/skills/a/SKILL.md': '---\ndescription: Harmless.\n---\nx',
    })
    const { options } = await load(tree)
    const skills = createSkills(standard({ ...options, host: hostOf(tree), onDiagnostic: report }))
    onTestFinished(() => skills.close())
    await expect(new Invoker(skills).invoke({ name: 'a', caller: 'user' })).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining('cannot be read') as string,
    })
  })

  it('a link out of the project', async () => {
    const tree = temporary({
      'elsewhere.json': '{"shell":false}',
      'repo/skills.config.json': { link: '../elsewhere.json' },
    })
    expect(told(await load(tree), tree)).toEqual([
      expect.stringMatching(/^link-escapes repo\/skills\.config\.json/) as string,
    ])
  })

  it('but a key that is not known is a warning, with what it can have', async () => {
    const tree = temporary({
      'repo/skills.config.json': '{\n "$schema": "x",\n "overides": {},\n "shell": false,\n "hue": 1\n}',
    })
    const configuration = await load(tree)
    expect(configuration.options).toEqual({ shell: false })
    expect(configuration.diagnostics.map(({ code, line, hint }) => [code, line, hint?.slice(0, 40)])).toEqual([
      ['unknown-configuration-key', 3, 'Did you mean "overrides"?'],
      ['unknown-configuration-key', 5, expect.stringContaining('distribution, agents') as string],
    ])
  })
})

describe('a key below another one that no one knows', () => {
  async function unknownIn(text: string, name = 'skills.config.json'): Promise<readonly (readonly unknown[])[]> {
    const { diagnostics, files } = await load(temporary({ [`repo/${name}`]: text }))
    expect(files).toMatchObject([{ state: 'loaded' }])
    expect(
      diagnostics.every(
        ({ code, severity, message, field = '' }) =>
          code === 'unknown-configuration-key' && severity === 'warning' && message.includes(`"${field}"`),
      ),
    ).toBe(true)
    return diagnostics.map(({ field, line, hint }) => [field, line, hint])
  }

  it('is a warning with its whole path, its line and what is meant', async () => {
    expect(await unknownIn('{\n "rules": {\n  "allow": [],\n  "dney": ["Skill(a)"]\n } }')).toEqual([
      ['rules.dney', 4, 'Did you mean "deny"?'],
    ])
  })

  it('such as maps with wildcards among the rules, says what there can be', async () => {
    expect(await unknownIn('{ "rules": {\n "wildcards": { "*": "ask" } } }')).toEqual([
      ['rules.wildcards', 2, expect.stringContaining('allow, ask, deny')],
    ])
  })

  it('is found in lists of objects, each on its own line', async () => {
    const text =
      '{\n "plugins": [\n  "a",\n  { "path": "b", "enabeld": true },\n  { "path": "c",\n    "enabeld": false } ],\n "packages": [{ "name": "d", "path": "e" }],\n "marketplaces": [{ "path": "f", "from": "user" }] }'
    expect(await unknownIn(text)).toEqual([
      ['plugins[1].enabeld', 4, 'Did you mean "enabled"?'],
      ['plugins[2].enabeld', 6, 'Did you mean "enabled"?'],
      ['packages[0].path', 7, 'It can have name, enabled, config, servers.'],
      ['marketplaces[0].from', 8, 'It can have path, enabled, only, disabled, config.'],
    ])
  })

  it('is found two levels down, by what kind of server it is', async () => {
    const text =
      '{ "servers": {\n "shop": { "command": "node", "arg": [] },\n "notes": { "url": "http://127.0.0.1:1/", "header": {}, "cwd": "x" } } }'
    expect(await unknownIn(text)).toEqual([
      ['servers.shop.arg', 2, expect.stringContaining('"args"')],
      ['servers.notes.header', 3, expect.stringContaining('"headers"')],
      ['servers.notes.cwd', 3, expect.stringContaining('url, headers, enabled')],
    ])
  })

  it('is found in what the listing is to be, whose own keys are all known', async () => {
    expect(await unknownIn('{ "listing": { "budget": 100, "stragety": "fair", "strategy": "fair" } }')).toEqual([
      ['listing.stragety', 1, 'Did you mean "strategy"?'],
    ])
  })

  it('is none where keys are names that an author chooses', async () => {
    const text =
      '{ "overrides": { "x": "off" }, "plugins": [{ "path": "p", "config": { "x": 1 } }], "marketplaces": [{ "path": "m", "config": { "p": { "x": 1 } } }], "servers": { "x": { "command": "c", "env": { "X": "1" } } } }'
    expect(await unknownIn(text)).toEqual([])
  })

  it('has no line in code, and providers are a key of code alone', async () => {
    expect(await unknownIn('export default { rules: { alow: [] }, providers: [] }', 'skills.config.mjs')).toEqual([
      ['rules.alow', undefined, 'Did you mean "allow"?'],
    ])
    expect(await unknownIn('{ "providers": [] }')).toEqual([['providers', 1, expect.any(String)]])
  })

  it('spoils nothing, and what it says is kept', async () => {
    const { options } = await load(
      temporary({
        'repo/skills.config.json':
          '{ "rules": { "deny": ["Skill(a)"], "wildcards": {} }, "listing": { "budget": 7, "hue": 1 }, "shell": false }',
      }),
    )
    expect(options).toMatchObject({
      rules: { deny: [{ rule: 'Skill(a)' }] },
      listing: { budget: 7, hue: 1 },
      shell: false,
    })
  })

  it('of any name is reported like the others', async () => {
    expect(
      (await unknownIn('{ "rules": { "__proto__": {}, "constructor": 1 }, "toString": 1 }')).map(([field]) => field),
    ).toEqual(['rules.__proto__', 'rules.constructor', 'toString'])
  })
})

it('a wrong value has its own line where its key stands elsewhere too', async () => {
  const tree = temporary({
    'repo/skills.config.json':
      '{\n "plugins": [{ "path": "a", "enabled": true },\n  { "path": "b",\n    "enabled": 3 }] }',
  })
  expect(told(await load(tree), tree)).toEqual([expect.stringContaining('skills.config.json:2 "plugins[1]"') as string])
  tree.write({
    'repo/skills.config.json': '{\n "servers": { "a": { "url": "x" },\n "shell": { "url": "x" } },\n "shell": "no" }',
  })
  expect(told(await load(tree), tree)).toEqual([expect.stringContaining('skills.config.json:4 "shell"') as string])
})

it('joins the options of a distribution', async () => {
  const tree = temporary({
    'repo/.claude/skills/a/SKILL.md': '---\ndescription: Does a.\n---\nA.',
    'repo/.claude/skills/b/SKILL.md': '---\ndescription: Does b.\n---\nB.',
    'repo/tools/plugin/skills/c/SKILL.md': '---\ndescription: Does c.\n---\nC.',
    'repo/tools/plugin/.claude-plugin/plugin.json': '{"name":"tools"}',
    'repo/skills.config.json': JSON.stringify({
      overrides: { b: 'off' },
      plugins: ['tools/plugin'],
      rules: { deny: ['Skill(a)'] },
    }),
  })
  const { options } = await load(tree)
  const problems: Diagnostic[] = []
  const skills = createSkills(
    standard({
      host: hostOf(tree),
      managed: { dirs: [] },
      bundled: false,
      builtin: false,
      onDiagnostic: one => problems.push(one),
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['a', 'tools:c'])
  await expect(new Invoker(skills).invoke({ name: 'a', caller: 'user' })).rejects.toThrow('skills.config.json')
})
