import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { fakeHost, type TreeEntries } from '@skills/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pluginServers, type PluginServer, type PluginServers } from '../plugin-servers.js'
import { engine, loaded, marketplace, namesOf, shortly, temporary } from '../../test/engine.js'
import type { PluginSourceOptions } from '../index.js'

/** The number of a test is that of the rule in docs/reference/plugins.md, "Agent Plugins". */
const pluginSchema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'
const mcpSchema = 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json'

const json = (data: unknown): string => JSON.stringify(data, null, 1)
const root = (more: object = {}): TreeEntries => ({
  'acme/plugin.json': json({ $schema: pluginSchema, name: 'acme', ...more }),
})
const skill = (name: string): TreeEntries => ({
  [`acme/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.`,
})
const mcp = (mcpServers: unknown, more: object = {}): TreeEntries => ({
  'acme/mcp.json': json({ $schema: mcpSchema, mcpServers, ...more }),
})
const stdio = (more: object = {}) => ({ type: 'stdio', command: 'node', ...more })

/** Loads `acme`, and returns the names of its commands and the codes of its problems. */
async function load(
  entries: TreeEntries,
  prepare: (path: string) => void = () => {},
  options: PluginSourceOptions = { plugins: ['acme'] } as PluginSourceOptions,
): Promise<readonly [names: readonly string[], problems: readonly string[]]> {
  const { path } = temporary(entries)
  prepare(path)
  const catalog = await engine(path, options).catalog()
  return [namesOf(catalog), shortly([...catalog.errors, ...catalog.warnings])]
}

/** Returns the servers of `acme` that can be used, all of which are named. */
async function serversOf(
  entries: TreeEntries,
  names: readonly string[],
  { prepare = () => {}, platform = 'linux' }: { prepare?: (path: string) => void; platform?: NodeJS.Platform } = {},
): Promise<PluginServers & { readonly path: string; readonly data: string }> {
  const { path } = temporary(entries)
  prepare(path)
  const stateFolder = `${path}/state`
  const options = { plugins: [{ path: 'acme', servers: names }], packages: [], stateFolder, agentPlugins: true }
  const found = await pluginServers(
    options,
    fakeHost({ cwd: path, home: `${path}/home`, platform }),
    new AbortController().signal,
  )
  return { ...found, path, data: `${path}/state/plugins` }
}

/** Returns the codes for one server `s` of a plugin that also has a skill. */
async function codesOf(server: unknown, prepare?: (path: string) => void): Promise<readonly string[]> {
  const [names, problems] = await load({ ...root(), ...skill('a'), ...mcp({ s: server }) }, prepare)
  expect(names).toEqual(['acme:a'])
  return problems.map(one => one.split(':')[0] ?? '')
}

/** Returns the process of the server `s`. */
function processOf({ servers }: PluginServers): Extract<PluginServer, { readonly command: string }> {
  const server = servers['plugin:acme:s']
  if (server === undefined || !('command' in server)) throw new Error('There is no process "s".')
  return server
}

const invalidServer = (field: string): readonly string[] => [
  `invalid-plugin-server mcpServers.s${field === '' ? '' : `.${field}`}`,
]

beforeEach(() => {
  vi.stubGlobal('fetch', () => {
    throw new Error('nothing is fetched while a plugin is loaded')
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the package', () => {
  test('1 is a folder with plugin.json at its root; without it, mcp.json means nothing', async () => {
    expect(await load({ ...root(), ...skill('a') })).toEqual([['acme:a'], []])
    const found = await serversOf({ ...skill('a'), ...mcp({ s: stdio() }) }, ['s'])
    expect(found.servers).toEqual({})
  })

  test('2 is read with links that stay inside, and without those that lead out', async () => {
    const entries = { ...root(), ...skill('a'), 'acme/real/b/SKILL.md': '---\nname: b\ndescription: B.\n---\n' }
    expect(await load(entries, path => symlinkSync('../real/b', `${path}/acme/skills/b`))).toEqual([
      ['acme:a', 'acme:b'],
      [],
    ])
    const outside = { ...entries, 'other/c/SKILL.md': '---\nname: c\ndescription: C.\n---\n' }
    expect(await load(outside, path => symlinkSync('../../other/c', `${path}/acme/skills/c`))).toEqual([
      ['acme:a'],
      ['link-escapes'],
    ])
  })

  test('3 is refused if plugin.json leads out of it', async () => {
    const entries = { ...skill('a'), 'other.json': json({ $schema: pluginSchema, name: 'acme' }) }
    expect(await load(entries, path => symlinkSync('../other.json', `${path}/acme/plugin.json`))).toEqual([
      [],
      ['link-escapes'],
    ])
  })

  test('4 loses only the kind of component whose place leads out of it', async () => {
    const servers = { 'other.json': json({ $schema: mcpSchema, mcpServers: {} }) }
    expect(
      await load({ ...root(), ...skill('a'), ...servers }, path =>
        symlinkSync('../other.json', `${path}/acme/mcp.json`),
      ),
    ).toEqual([['acme:a'], ['link-escapes']])
    const other = { ...root(), ...mcp({ s: stdio() }), 'other/a/SKILL.md': '---\nname: a\ndescription: A.\n---\n' }
    expect(await load(other, path => symlinkSync('../other', `${path}/acme/skills`))).toEqual([[], ['link-escapes']])
    const found = await serversOf(other, ['s'], { prepare: path => symlinkSync('../other', `${path}/acme/skills`) })
    expect(Object.keys(found.servers)).toEqual(['plugin:acme:s'])
  })

  test('5 loses only the skill whose SKILL.md leads out of it', async () => {
    const entries = { ...root(), ...skill('a'), 'other.md': '---\nname: b\ndescription: B.\n---\n' }
    expect(
      await load(entries, path => {
        mkdirSync(`${path}/acme/skills/b`)
        symlinkSync('../../../other.md', `${path}/acme/skills/b/SKILL.md`)
      }),
    ).toEqual([['acme:a'], ['link-escapes']])
  })

  test('6 loses only the server whose command or working folder leads out of it', async () => {
    expect(await codesOf(stdio({ command: './bin/../../x' }))).toEqual(invalidServer('command'))
    expect(await codesOf(stdio({ cwd: './..' }))).toEqual(invalidServer('cwd'))
    const link = (name: string) => (path: string) => symlinkSync('..', `${path}/acme/${name}`)
    expect(await codesOf(stdio({ command: './out/sh' }), link('out'))).toEqual(invalidServer('command'))
    expect(await codesOf(stdio({ cwd: './out' }), link('out'))).toEqual(invalidServer('cwd'))
  })

  test('7 is not read elsewhere: another file of it that leads out is left out alone', async () => {
    const entries = { ...root(), ...skill('a'), 'hooks.json': '{"name":"other"}' }
    expect(
      await load(entries, path => {
        mkdirSync(`${path}/acme/.claude-plugin`)
        symlinkSync('../../hooks.json', `${path}/acme/.claude-plugin/plugin.json`)
      }),
    ).toEqual([['acme:a'], ['link-escapes']])
  })

  test('8 has texts that are no paths: arguments and values of variables may lead anywhere', async () => {
    const server = stdio({ args: ['../../etc', '/etc/passwd'], env: { AT: '../x' } })
    const { servers } = await serversOf({ ...root(), ...mcp({ s: server }) }, ['s'])
    expect(servers['plugin:acme:s']).toMatchObject({ args: ['../../etc', '/etc/passwd'], env: { AT: '../x' } })
  })
})

describe('the manifest', () => {
  const other = { 'acme/.claude-plugin/plugin.json': '{"name":"other","version":"9.0.0","skills":["./more"]}' }
  const more = { 'acme/more/m/SKILL.md': '---\nname: m\ndescription: M.\n---\n' }

  test('9 wins over every other one', async () => {
    const packed = { 'acme/package.json': '{"name":"third","skillsPaths":["./skills"]}' }
    const { path } = temporary({ ...root({ version: '1.0.0' }), ...skill('a'), ...other, ...more, ...packed })
    const catalog = await engine(path, { plugins: ['acme'] } as PluginSourceOptions).catalog()
    expect([namesOf(catalog), catalog.entries[0]?.command]).toMatchObject([
      ['acme:a'],
      { plugin: { name: 'acme', version: '1.0.0' } },
    ])
    expect(shortly(catalog.warnings)).toEqual(['unused-manifest skills:1'])
    const market = marketplace('market', [{ name: 'listed', source: './acme', strict: false, skills: ['./more'] }])
    const inMarket = Object.fromEntries(
      Object.entries({ ...root(), ...skill('a'), ...more }).map(([file, text]) => [`market/${file}`, text]),
    )
    expect(
      namesOf(await loaded({ ...market, ...inMarket }, { marketplaces: ['market'] } as PluginSourceOptions)),
    ).toEqual(['acme:a'])
  })

  test('10 refuses the plugin by its errors even if another manifest would do', async () => {
    expect(await load({ ...root({ name: 'Bad Name!!' }), ...skill('a'), ...other })).toEqual([
      [],
      ['invalid-manifest name:3'],
    ])
    const undeclared = { 'acme/plugin.json': '{"name":"x"}', 'acme/.claude-plugin/plugin.json': '{"name":"other"}' }
    expect(await load({ ...undeclared, ...skill('a') })).toEqual([['other:a'], ['unused-manifest']])
  })

  test.each(['', '{', '[]', '"x"', 'null', '{"name":"acme",}'])('11 has to be a JSON object: %j', async text => {
    const [names, problems] = await load({ 'acme/plugin.json': text, ...skill('a') })
    expect([names, problems.map(one => one.split(' ')[0])]).toEqual([[], ['invalid-manifest']])
  })

  test('12 may have unknown fields, which are reported and mean nothing', async () => {
    const unknown = { skills: './more', mcpServers: { s: stdio() }, hooks: { PreToolUse: [] }, commands: './skills' }
    expect(await load({ ...root(unknown), ...skill('a'), ...more })).toEqual([
      ['acme:a'],
      ['skills:4', 'mcpServers:5', 'hooks:11', 'commands:14'].map(place => `unknown-manifest-key ${place}`),
    ])
    expect((await serversOf({ ...root(unknown), ...skill('a') }, ['s'])).servers).toEqual({})
  })

  test.each([
    ['version', 1],
    ['description', null],
    ['homepage', {}],
    ['repository', { url: 'x' }],
    ['license', ['MIT']],
    ['author', 'Someone'],
    ['author', null],
    ['author.name', { name: 1 }],
    ['author.phone', { phone: '1' }],
    ['keywords', 'a'],
    ['keywords[0]', [1]],
    ['extensions.com.example.client', { 'com.example.client': true }],
  ])('13 refuses the plugin for the wrong type of %s', async (field, value) => {
    const [key = ''] = field.split(/[.[]/)
    const [names, problems] = await load({ ...root({ [key]: value }), ...skill('a') })
    expect([names, problems]).toEqual([[], [expect.stringContaining(`invalid-manifest ${field}:`) as string]])
  })

  test('14 has the schema of its version, and no other', async () => {
    for (const $schema of ['https://example.com/x.json', `${pluginSchema}#`, mcpSchema, 1, ''])
      expect(await load({ ...root({ $schema }), ...skill('a') })).toEqual([[], ['invalid-manifest $schema:2']])
    const later = pluginSchema.replace('1.0.0', '2.0.0')
    expect(await load({ ...root({ $schema: later }), ...skill('a') })).toEqual([
      [],
      ['unsupported-plugin-version $schema:2'],
    ])
  })

  test('15 needs no network: its schemas are part of the program', async () => {
    expect(await load({ ...root(), ...skill('a'), ...mcp({ s: stdio() }) })).toEqual([['acme:a'], []])
  })

  test('16 refuses the plugin if a required field is missing, and says which', async () => {
    for (const [data, field] of [
      [{ name: 'acme' }, '$schema'],
      [{ $schema: pluginSchema }, 'name'],
      [{ $schema: pluginSchema, name: '' }, 'name'],
      [{ $schema: pluginSchema, name: 1 }, 'name'],
    ] as const) {
      const [names, problems] = await load({ 'acme/plugin.json': json(data), ...skill('a') })
      expect([names, problems[0]?.startsWith(`invalid-manifest ${field}`)], json(data)).toEqual([[], true])
    }
  })

  test('17 is not refused for texts of no recognized form', async () => {
    const loose = {
      version: 'latest',
      homepage: 'not a url',
      repository: 'somewhere',
      license: 'mine',
      author: { email: 'nobody', url: ':', name: '' },
      keywords: [''],
    }
    expect(await load({ ...root(loose), ...skill('a') })).toEqual([['acme:a'], []])
  })

  test.each(['a', 'my-plugin', 'acme.tools', 'lint3r', '0', 'a.b-c.d', 'a-.b', 'x'.repeat(64)])(
    '18 may be called %s',
    async name => {
      expect((await load({ ...root({ name }), ...skill('a') }))[0]).toEqual([`${name}:a`])
    },
  )

  test.each(['My-Plugin', '-start', 'end-', '.a', 'a.', 'has--double', 'too..many', 'a b', 'a_b', 'é', 'x'.repeat(65)])(
    '18 cannot be called %s',
    async name => {
      expect(await load({ ...root({ name }), ...skill('a') })).toEqual([[], ['invalid-manifest name:3']])
    },
  )

  test('19 reports and ignores extensions that are no object, and looks into no namespace', async () => {
    for (const extensions of [[], 'x', 1, null])
      expect(await load({ ...root({ extensions }), ...skill('a') })).toEqual([
        ['acme:a'],
        ['unknown-manifest-key extensions:4'],
      ])
    const extensions = { 'com.example.client': { hooks: 1, any: [null] }, 'not reverse': {} }
    expect(await load({ ...root({ extensions }), ...skill('a'), 'acme/com.example.client/x.md': 'x' })).toEqual([
      ['acme:a'],
      [],
    ])
  })
})

describe('components', () => {
  test('20 that are absent are no error, and other kinds of them are ignored', async () => {
    expect(await load(root())).toEqual([[], []])
    const foreign = {
      'acme/commands/c.md': 'c',
      'acme/agents/a.md': 'a',
      'acme/hooks/hooks.json': '{',
      'acme/SKILL.md': 'x',
    }
    expect(await load({ ...root(), ...skill('a'), ...foreign })).toEqual([['acme:a'], []])
  })

  test('21 of a kind whose place is something else are reported, and the others load', async () => {
    const { servers } = await serversOf({ ...root(), 'acme/skills': 'a file', ...mcp({ s: stdio() }) }, ['s'])
    expect(Object.keys(servers)).toEqual(['plugin:acme:s'])
    const [names, problems] = await load({ ...root(), 'acme/skills': 'a file' })
    expect([names, problems.length]).toEqual([[], 1])
    const [others, found] = await load({ ...root(), ...skill('a'), 'acme/mcp.json/x': 'x' })
    expect([others, found.length]).toEqual([['acme:a'], 1])
  })

  test('22 named skills are the folders directly in skills that have a file of exactly this name', async () => {
    const entries = {
      ...root(),
      ...skill('a'),
      ...skill('group/deep'),
      'acme/skills/b/skill.md': '---\nname: b\ndescription: B.\n---\n',
      'acme/skills/c/SKILL.md/x': 'a folder',
      'acme/skills/.hidden/SKILL.md': '---\nname: .hidden\ndescription: H.\n---\n',
      'acme/skills/node_modules/SKILL.md': '---\nname: node_modules\ndescription: N.\n---\n',
      'acme/skills/node-modules/SKILL.md': '---\nname: node-modules\ndescription: N.\n---\n',
      'acme/skills/a/inner/SKILL.md': '---\nname: inner\ndescription: I.\n---\n',
    }
    expect((await load(entries))[0]).toEqual(['acme:a', 'acme:node-modules'])
  })

  test.each([
    ['no name', 'description: x', 'standard-name-missing'],
    ['the name of another folder', 'name: b\ndescription: x', 'standard-name-folder'],
    ['no description', 'name: bad', 'standard-description-missing'],
    ['a long description', `name: bad\ndescription: ${'x'.repeat(1025)}`, 'standard-description-long'],
    [
      'a long compatibility',
      `name: bad\ndescription: x\ncompatibility: ${'x'.repeat(501)}`,
      'standard-compatibility-long',
    ],
    ['frontmatter that is not YAML', 'name: [', 'unclosed-value'],
  ])('23 named skills are skipped and reported with %s', async (_, text, code) => {
    const [names, problems] = await load({
      ...root(),
      ...skill('a'),
      'acme/skills/bad/SKILL.md': `---\n${text}\n---\n`,
    })
    expect([names, problems.join()]).toEqual([['acme:a'], expect.stringContaining(code)])
  })
})

describe('the servers', () => {
  test('24 are those of mcp.json at the root alone', async () => {
    const inline = {
      '.mcp.json': json({ mcpServers: { s: stdio() } }),
      'config/mcp.json': json({ mcpServers: { s: stdio() } }),
    }
    const entries = Object.fromEntries(Object.entries(inline).map(([file, text]) => [`acme/${file}`, text]))
    expect((await serversOf({ ...root(), ...entries }, ['s'])).servers).toEqual({})
    expect(await load({ ...root(), ...skill('a'), ...mcp({}) })).toEqual([['acme:a'], []])
  })

  test.each([
    ['no object', '[]', 'invalid-plugin-servers'],
    ['no JSON', '{', 'invalid-plugin-servers'],
    ['no $schema', json({ mcpServers: {} }), 'invalid-plugin-servers $schema'],
    ['another $schema', json({ $schema: pluginSchema, mcpServers: {} }), 'invalid-plugin-servers $schema'],
    ['no servers', json({ $schema: mcpSchema }), 'invalid-plugin-servers mcpServers'],
    ['a list of servers', json({ $schema: mcpSchema, mcpServers: [] }), 'invalid-plugin-servers mcpServers'],
    ['another field', json({ $schema: mcpSchema, mcpServers: {}, inputs: [] }), 'invalid-plugin-servers inputs'],
    [
      'another version',
      json({ $schema: mcpSchema.replace('1.0.0', '2.0.0'), mcpServers: {} }),
      'unsupported-plugin-version $schema',
    ],
  ])('25 are all left out for %s, and the skills load', async (_, text, problem) => {
    const [names, problems] = await load({ ...root(), ...skill('a'), 'acme/mcp.json': text })
    expect([names, problems]).toEqual([['acme:a'], [expect.stringContaining(problem) as string]])
  })

  test.each([
    ['', 'node'],
    ['type', { command: 'node' }],
    ['type', { type: 'http', url: 'https://example.com' }],
    ['url', stdio({ url: 'https://example.com' })],
    ['env', { type: 'sse', url: 'https://example.com', env: {} }],
    ['cwd', { type: 'streamable-http', url: 'https://example.com', cwd: './' }],
    ['disabled', stdio({ disabled: true })],
    ['command', { type: 'stdio' }],
    ['command', stdio({ command: '' })],
    ['command', stdio({ command: ['node'] })],
    ['url', { type: 'streamable-http' }],
    ['args', stdio({ args: 'x' })],
    ['args[1]', stdio({ args: ['x', 1] })],
    ['env', stdio({ env: [] })],
    ['env.A', stdio({ env: { A: 1 } })],
    ['headers.A', { type: 'streamable-http', url: 'https://example.com', headers: { A: 1 } }],
  ])('26 have one of three closed forms: an entry with a wrong %s is left out', async (field, server) => {
    expect(await codesOf(server)).toEqual(invalidServer(field))
  })

  test.each([
    'npx -y x',
    'a/b',
    'bin\\x',
    '/usr/bin/node',
    '../x',
    '..',
    'C:x',
    '${PLUGIN_ROOT}/x',
    'a;b c',
    '~/x',
    './',
  ])('27 start one program by its name or by its path in the plugin, not %s', async command => {
    expect(await codesOf(stdio({ command }))).toEqual(invalidServer('command'))
  })

  test('28 start a bare name as it is, and a path from the root, with nothing replaced in either', async () => {
    const { servers, path } = await serversOf(
      {
        ...root(),
        ...mcp({
          bare: stdio({ command: 'node', args: ['--x y', ';'] }),
          own: stdio({ command: './bin/my server.cmd' }),
          literal: stdio({ command: './${PLUGIN_DATA}/x' }),
        }),
      },
      ['bare', 'own', 'literal'],
    )
    expect(servers).toMatchObject({
      'plugin:acme:bare': { command: 'node', args: ['--x y', ';'] },
      'plugin:acme:own': { command: `${path}/acme/bin/my server.cmd`, args: [] },
      'plugin:acme:literal': { command: `${path}/acme/\${PLUGIN_DATA}/x` },
    })
  })

  test('29 run in the root unless they name a folder of the plugin or of its data', async () => {
    const folders = {
      none: undefined,
      below: './data/../own',
      root: '${PLUGIN_ROOT}',
      inRoot: '${PLUGIN_ROOT}/own',
      data: '${PLUGIN_DATA}',
      inData: '${PLUGIN_DATA}/own',
    }
    const given = Object.fromEntries(Object.entries(folders).map(([name, cwd]) => [name, stdio({ cwd })]))
    const found = await serversOf({ ...root(), ...mcp(given) }, Object.keys(folders))
    const cwds = Object.values(found.servers).map(one => ('cwd' in one ? one.cwd : ''))
    const [, , , , data = ''] = cwds
    expect(data.startsWith(`${found.data}/acme@`)).toBe(true)
    const at = `${found.path}/acme`
    expect(cwds).toEqual([at, `${at}/own`, at, `${at}/own`, data, `${data}/own`])
  })

  test.each(['own', '/tmp', '', '${PLUGIN_ROOT}x', '${HOME}/x', '.', '~', '${PLUGIN_ROOT}/..', '${PLUGIN_DATA}/../x'])(
    '30 do not run in %j',
    async cwd => {
      expect(await codesOf(stdio({ cwd }))).toEqual(invalidServer('cwd'))
    },
  )

  test('31 do not run in a data folder that a link leads out of', async () => {
    const found = await serversOf({ ...root(), ...mcp({ s: stdio({ cwd: '${PLUGIN_DATA}/out' }) }) }, ['s'])
    await found.prepare('plugin:acme:s')
    const { env } = processOf(found)
    symlinkSync('..', `${env['PLUGIN_DATA'] ?? ''}/out`)
    await expect(found.prepare('plugin:acme:s')).rejects.toMatchObject({ code: 'E_DENIED' })
  })

  const web = (url: string, headers?: Record<string, string>) => ({
    type: 'streamable-http',
    url,
    ...(headers && { headers }),
  })

  test.each([
    '/mcp',
    'example.com/mcp',
    'ftp://example.com',
    'https:example.com',
    'https:/example.com',
    'https://',
    'https://user@example.com',
    'https://user:pw@example.com',
    'https://@example.com',
    'https://example.com/#part',
    'https://example.com/#',
    'https://exa mple.com',
    'http://example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'http://[::2]',
  ])('32 are not reached at %s', async url => {
    expect(await codesOf(web(url))).toEqual(invalidServer('url'))
  })

  test.each([
    'https://example.com/mcp?x=1',
    'http://localhost:1/mcp',
    'http://127.8.0.1',
    'http://[::1]:3/',
    'HTTPS://EXAMPLE.com',
  ])('32 are reached at %s', async url => {
    expect(await codesOf(web(url))).toEqual([])
  })

  test.each([
    ['a b', { 'a b': 'x' }],
    ['a(b', { 'a(b': 'x' }],
    ['x', { x: 'a\nb' }],
    ['x', { x: ' a' }],
    ['x', { x: 'ключ' }],
    ['X', { x: '1', X: '2' }],
  ])('33 send only valid headers, each name once: not %s', async (name, headers) => {
    expect(await codesOf(web('https://example.com', headers))).toEqual(invalidServer(`headers.${name}`))
  })

  test('34 send nothing replaced in address and headers, and no header that the client sets itself', async () => {
    const headers = { 'X-Tenant': '${PLUGIN_ROOT} ${HOME}', 'Mcp-Session-Id': 'x', accept: 'text/plain', Host: 'other' }
    const { servers } = await serversOf(
      { ...root(), ...mcp({ s: web('https://example.com/${PLUGIN_ROOT}', headers) }) },
      ['s'],
    )
    expect(servers['plugin:acme:s']).toEqual({
      url: 'https://example.com/${PLUGIN_ROOT}',
      headers: { 'X-Tenant': '${PLUGIN_ROOT} ${HOME}' },
      from: 'host',
    })
  })

  test('35 of the transport sse are reported and left out, and the others stay', async () => {
    const servers = { old: { type: 'sse', url: 'https://example.com/sse' }, s: stdio() }
    expect(await load({ ...root(), ...skill('a'), ...mcp(servers) })).toEqual([
      ['acme:a'],
      ['unsupported-plugin-transport mcpServers.old:4'],
    ])
    expect(Object.keys((await serversOf({ ...root(), ...mcp(servers) }, ['old', 's'])).servers)).toEqual([
      'plugin:acme:s',
    ])
  })

  test('36 that are invalid do not affect the others', async () => {
    const given = { bad: stdio({ command: '../x' }), good: stdio(), worse: 1 }
    const found = await serversOf({ ...root(), ...mcp(given) }, ['bad', 'good', 'worse'])
    expect(Object.keys(found.servers)).toEqual(['plugin:acme:good'])
  })
})

describe('the process of a server', () => {
  test('37 has a folder of its own for data, made before it starts, kept when the plugin changes', async () => {
    const found = await serversOf({ ...root(), ...mcp({ s: stdio() }) }, ['s'])
    const { env } = processOf(found)
    const { PLUGIN_ROOT: at, PLUGIN_DATA: data = '' } = env
    expect([at, existsSync(data)]).toEqual([`${found.path}/acme`, false])
    await found.prepare('plugin:acme:s')
    writeFileSync(`${data}/kept`, 'x')
    writeFileSync(`${found.path}/acme/plugin.json`, json({ $schema: pluginSchema, name: 'acme', version: '2.0.0' }))
    await found.prepare('plugin:acme:s')
    expect(readFileSync(`${data}/kept`, 'utf8')).toBe('x')
    const other = await serversOf({ ...root(), ...mcp({ s: stdio() }) }, ['s'])
    expect(processOf(other).env['PLUGIN_DATA']).not.toContain(data.split('/').at(-1))
  })

  test('38 gets its variables, and over them those that the client sets', async () => {
    const server = stdio({ env: { A: '${PLUGIN_ROOT}/a', plugin_root: 'own', Plugin_Data: 'own' } })
    const entries = { ...root(), ...mcp({ s: server }) }
    const found = await serversOf(entries, ['s'])
    expect(found.servers['plugin:acme:s']).toMatchObject({ env: { A: `${found.path}/acme/a`, plugin_root: 'own' } })
    const onWindows = await serversOf(entries, ['s'], { platform: 'win32' })
    expect(Object.keys(processOf(onWindows).env)).toEqual(['A', 'PLUGIN_ROOT', 'PLUGIN_DATA'])
  })

  test('39 gets both placeholders replaced once, in arguments, values and the folder, and nothing else', async () => {
    const found = await serversOf(
      {
        'acme/plugin.json': json({ $schema: pluginSchema, name: 'acme' }),
        ...mcp({
          s: stdio({
            args: [
              '${PLUGIN_ROOT}${PLUGIN_ROOT}',
              '$PLUGIN_ROOT ${HOME} ${PLUGIN_ROOT:-x} ${plugin_root}',
              '$${PLUGIN_DATA}',
            ],
            env: { '${PLUGIN_ROOT}': 'x', B: '${B}' },
          }),
        }),
      },
      ['s'],
    )
    const { args, env } = processOf(found)
    const at = `${found.path}/acme`
    expect(args).toEqual([
      `${at}${at}`,
      '$PLUGIN_ROOT ${HOME} ${PLUGIN_ROOT:-x} ${plugin_root}',
      `$${env['PLUGIN_DATA'] ?? ''}`,
    ])
    expect(env).toMatchObject({ '${PLUGIN_ROOT}': 'x', B: '${B}' })
  })

  test('40 cannot set the variables of the client itself', async () => {
    for (const name of ['PLUGIN_ROOT', 'PLUGIN_DATA'])
      expect(await codesOf(stdio({ env: { [name]: 'x' } }))).toEqual(invalidServer(`env.${name}`))
  })
})

describe('consent', () => {
  test('no server is used that nobody named, and its place says so', async () => {
    const { path } = temporary({ ...root(), ...skill('a'), ...mcp({ s: stdio(), t: stdio() }) })
    const catalog = await engine(path, {
      plugins: [{ path: 'acme', servers: ['s', 'u'] }],
    } as PluginSourceOptions).catalog()
    expect(catalog.places).toMatchObject([
      { path: `${path}/acme`, state: 'read' },
      { path: `${path}/acme/mcp.json`, state: 'skipped', note: expect.stringContaining('"t"') as string },
    ])
    expect(shortly(catalog.warnings)).toEqual(['unknown-plugin-server'])
    const found = await serversOf({ ...root(), ...mcp({ s: stdio(), t: stdio() }) }, ['s'])
    expect(Object.keys(found.servers)).toEqual(['plugin:acme:s'])
  })

  test('a plugin without the standard keeps its folder skills if the source does not read the standard', async () => {
    const entries = { ...root({ name: 'Bad Name!!' }), ...skill('a') }
    expect(await load(entries, undefined, { plugins: ['acme'], agentPlugins: false } as PluginSourceOptions)).toEqual([
      ['acme:a'],
      [],
    ])
  })
})
