import { describe, expect, it } from 'vitest'
import { commandOf, engine, manifest, namesOf, shortly, temporary } from '../test/engine.js'
import type { TempTree, TreeEntries } from '@skills/testing'
import type { InstalledPlugins } from './plugin-options.js'

const cache = 'home/.claude/plugins/cache/market'

/** Returns a plugin in the cache of Claude Code, with one skill of the same name as its version. */
function cached(name: string, version = '1.0.0', skill = 'go'): TreeEntries {
  const folder = `${cache}/${name}/${version}`
  return {
    ...manifest(folder, { name, version }),
    [`${folder}/skills/${skill}/SKILL.md`]: `---\ndescription: Of ${name}.\n---\nBody of ${name}.`,
  }
}

interface Record {
  readonly scope?: string
  readonly installPath: string
  readonly projectPath?: string
}

/** Makes a home and a project. `records` and settings get the path of the tree. */
function home(
  entries: TreeEntries,
  records: (path: string) => unknown,
  settings: Partial<globalThis.Record<'managed' | 'local' | 'project' | 'user', unknown>>,
  others: (path: string) => TreeEntries = () => ({}),
): { readonly tree: TempTree; readonly installed: InstalledPlugins } {
  const tree = temporary({
    'repo/.git/HEAD': '',
    'other/.git/HEAD': '',
    'home/.claude/plugins/known_marketplaces.json': '{ "market": {} }',
    ...entries,
  })
  const { path } = tree
  const files = {
    managed: 'etc/managed-settings.json',
    local: 'repo/.claude/settings.local.json',
    project: 'repo/.claude/settings.json',
    user: 'home/.claude/settings.json',
  }
  const given = records(path)
  tree.write({
    'home/.claude/plugins/installed_plugins.json': typeof given === 'string' ? given : JSON.stringify(given, null, 1),
    ...others(path),
    ...Object.fromEntries(
      Object.entries(settings).map(([whose, value]) => [files[whose as keyof typeof files], JSON.stringify(value)]),
    ),
  })
  return {
    tree,
    installed: {
      folder: `${path}/home/.claude/plugins`,
      project: [`${path}/repo`],
      settings: [
        { path: `${path}/${files.managed}`, from: 'managed' },
        { path: `${path}/${files.local}`, from: 'project' },
        { path: `${path}/${files.project}`, from: 'project' },
        { path: `${path}/${files.user}`, from: 'user' },
      ],
    },
  }
}

const on = (...names: readonly string[]) => ({
  enabledPlugins: Object.fromEntries(names.map(name => [`${name}@market`, true])),
})
const off = (name: string) => ({ enabledPlugins: { [`${name}@market`]: false } })
const at = (path: string, name: string, version = '1.0.0') => `${path}/${cache}/${name}/${version}`
const version2 = (plugins: globalThis.Record<string, readonly Record[]>) => ({ version: 2, plugins })
const user = (name: string) => (path: string) =>
  version2({ [`${name}@market`]: [{ scope: 'user', installPath: at(path, name) }] })

/** Returns the hooks of a source of plugins. */
const hooksOf = (source: object): Promise<readonly unknown[]> =>
  (source as { hooks(call: object): Promise<readonly unknown[]> }).hooks({ signal: new AbortController().signal })

const skillsOf = ({ tree, installed }: ReturnType<typeof home>, options: object = {}) =>
  engine(`${tree.path}/repo`, { ...options, installed })

describe('plugins that Claude Code has installed', () => {
  it.each<[string, (path: string) => unknown]>([
    ['version 2', user('acme')],
    ['version 1', path => ({ version: 1, plugins: { 'acme@market': { installPath: at(path, 'acme') } } })],
  ])('are there with their skills, as %s of the file records them', async (_version, records) => {
    const made = home(cached('acme'), records, { user: on('acme') })
    const skills = skillsOf(made)
    const catalog = await skills.catalog()
    expect([namesOf(catalog), catalog.errors, catalog.warnings]).toEqual([['acme:go'], [], []])
    expect(commandOf(catalog, 'acme:go').plugin).toMatchObject({ name: 'acme', version: '1.0.0', from: 'user' })
    const { notes } = await skills.explain('acme:go')
    expect(notes.map(({ text }) => text)).toContain(
      `The plugin "acme" 1.0.0 at ${at(made.tree.path, 'acme')} was installed by Claude Code as "acme@market", and "enabledPlugins" in ${made.tree.path}/home/.claude/settings.json switches it on.`,
    )
  })

  it('are off unless a settings file switches them on, the strongest first', async () => {
    const cases: readonly (readonly [settings: Parameters<typeof home>[2], isOn: boolean])[] = [
      [{}, false],
      [{ user: off('acme') }, false],
      [{ user: on('acme'), project: off('acme') }, false],
      [{ user: on('acme'), project: off('acme'), local: on('acme') }, true],
      [{ user: on('acme'), local: on('acme'), managed: off('acme') }, false],
      [{ managed: on('acme') }, true],
      [{ user: { enabledPlugins: { 'acme@market': ['1.0.0'] } } }, false],
      [{ user: { enabledPlugins: 'all' } }, false],
    ]
    for (const [settings, isOn] of cases) {
      const catalog = await skillsOf(home(cached('acme'), user('acme'), settings)).catalog()
      expect([settings, namesOf(catalog)]).toEqual([settings, isOn ? ['acme:go'] : []])
    }
  })

  it('are named by explain when they are off, with the file that says so', async () => {
    const made = home(cached('acme'), user('acme'), { user: on('acme'), project: off('acme') })
    const skills = skillsOf(made)
    await skills.catalog()
    expect((await skills.explain('acme:go')).notes.map(({ text }) => text)).toContain(
      `The plugin "acme" is installed by Claude Code, but "enabledPlugins" in ${made.tree.path}/repo/.claude/settings.json switches it off.`,
    )
  })

  it('of one project count there alone', async () => {
    const records = (of: string) => (path: string) =>
      version2({ 'acme@market': [{ scope: 'project', projectPath: `${path}/${of}`, installPath: at(path, 'acme') }] })
    const here = await skillsOf(home(cached('acme'), records('repo'), { project: on('acme') })).catalog()
    // Their record is the user's own, and says that they were installed for this project.
    expect([namesOf(here), commandOf(here, 'acme:go').plugin.from]).toEqual([['acme:go'], 'user'])
    const made = home(cached('acme'), records('other'), { user: on('acme') })
    const elsewhere = skillsOf(made)
    expect(namesOf(await elsewhere.catalog())).toEqual([])
    expect((await elsewhere.explain('acme:go')).notes.map(({ text }) => text)).toContain(
      `The plugin "acme" is installed by Claude Code for another project, ${made.tree.path}/other.`,
    )
  })

  it('with several installations are the first that counts here', async () => {
    const records = (path: string) =>
      version2({
        'acme@market': [
          { scope: 'project', projectPath: `${path}/other`, installPath: at(path, 'acme', '1.0.0') },
          { scope: 'user', installPath: at(path, 'acme', '2.0.0') },
          { scope: 'local', projectPath: `${path}/repo`, installPath: at(path, 'acme', '3.0.0') },
        ],
      })
    const entries = { ...cached('acme', '1.0.0', 'one'), ...cached('acme', '2.0.0', 'two') }
    expect(namesOf(await skillsOf(home(entries, records, { user: on('acme') })).catalog())).toEqual(['acme:two'])
  })

  it("are not the user's choice where only the project switches them on", async () => {
    const made = home(cached('acme'), user('acme'), { user: off('acme'), project: on('acme') })
    const skills = skillsOf(made)
    const catalog = await skills.catalog()
    expect(commandOf(catalog, 'acme:go').plugin.from).toBe('project')
    const hint = (await skills.explain('acme:go')).notes.find(({ text }) => text.includes('"acme@market": true'))
    expect(hint).toBeDefined()
    made.tree.write({ 'home/.claude/settings.json': JSON.stringify(on('acme')) })
    expect(commandOf(await skills.refresh(), 'acme:go').plugin.from).toBe('user')
  })

  it('appear, change and go with the files that record them', async () => {
    const made = home({ ...cached('acme'), ...cached('more') }, user('acme'), { user: on('acme', 'more') })
    const skills = skillsOf(made)
    expect(namesOf(await skills.catalog())).toEqual(['acme:go'])
    made.tree.write({ 'home/.claude/plugins/installed_plugins.json': JSON.stringify(user('more')(made.tree.path)) })
    expect(namesOf(await skills.refresh())).toEqual(['more:go'])
    made.tree.write({ 'home/.claude/settings.json': JSON.stringify(off('more')) })
    expect(namesOf(await skills.refresh())).toEqual([])
  })
})

describe('a plugin outside of the cache', () => {
  const outside = {
    ...manifest('elsewhere/acme', { name: 'acme' }),
    'elsewhere/acme/skills/go/SKILL.md': '---\ndescription: Go.\n---\n',
  }
  const cases: readonly (readonly [string, TreeEntries, string])[] = [
    ['by its path', outside, 'elsewhere/acme'],
    [
      'by a link in the cache',
      { ...outside, [`${cache}/acme/1.0.0`]: { link: '../../../../../../elsewhere/acme' } },
      `${cache}/acme/1.0.0`,
    ],
    ['by dots', outside, `${cache}/../../../../../elsewhere/acme`],
  ]
  it.each(cases)('%s is said, and not loaded', async (_how, entries, place) => {
    const records = (path: string) => version2({ 'acme@market': [{ scope: 'user', installPath: `${path}/${place}` }] })
    const made = home({ ...entries, [`${cache}/x`]: { dir: true } }, records, { user: on('acme') })
    const catalog = await skillsOf(made).catalog()
    expect([namesOf(catalog), shortly(catalog.warnings), catalog.errors]).toEqual([
      [],
      ['installed-plugin-outside'],
      [],
    ])
    // Naming the folder, as the hint says, loads it, and nothing is left to say.
    const named = await skillsOf(made, {
      plugins: [{ path: `${made.tree.path}/elsewhere/acme`, from: 'user' }],
    }).catalog()
    expect([namesOf(named), named.warnings]).toEqual([['acme:go'], []])
  })

  it('does not concern a whole Claude Code folder that is a link', async () => {
    const made = home({ ...cached('acme'), linked: { link: 'home/.claude' } }, user('acme'), { user: on('acme') })
    const installed = { ...made.installed, folder: `${made.tree.path}/linked/plugins` }
    expect(namesOf(await skillsOf({ ...made, installed }).catalog())).toEqual(['acme:go'])
  })
})

describe('a record that is not valid', () => {
  it.each([
    ['not JSON', '{ "version": 2,', ['invalid-installed-plugins :1']],
    ['empty', '', ['invalid-installed-plugins']],
    ['a list', '[]', ['invalid-installed-plugins']],
  ])('because the file is %s is an error, and the rest of the engine works', async (_what, text, problems) => {
    const made = home(manifest('own', { name: 'own' }), () => text, { user: on('acme') })
    made.tree.write({ 'own/skills/a/SKILL.md': 'a' })
    const catalog = await skillsOf(made, { plugins: [`${made.tree.path}/own`] }).catalog()
    expect([shortly(catalog.errors), namesOf(catalog)]).toEqual([problems, ['own:a']])
  })

  it('costs its own plugin alone', async () => {
    const records = (path: string) => ({
      version: 2,
      plugins: {
        'bad@market': [{ scope: 'user' }],
        'relative@market': [{ scope: 'user', installPath: 'cache/x' }],
        'text@market': 'text',
        'gone@market': [{ scope: 'user', installPath: at(path, 'gone') }],
        'acme@market': [{ scope: 'user', installPath: at(path, 'acme') }],
      },
    })
    const names = ['bad', 'relative', 'text', 'gone', 'acme']
    const catalog = await skillsOf(home(cached('acme'), records, { user: on(...names) })).catalog()
    expect(namesOf(catalog)).toEqual(['acme:go'])
    expect(shortly(catalog.warnings)).toEqual([
      'invalid-installed-plugins plugins.bad@market:4',
      'invalid-installed-plugins plugins.relative@market:9',
      'invalid-installed-plugins plugins.text@market:15',
    ])
    expect(shortly(catalog.errors)).toEqual(['plugin-not-found'])
    expect(catalog.errors[0]?.hint).toContain('"gone@market"')
  })

  it('of a settings file is an error, and its words do not count', async () => {
    const made = home(cached('acme'), user('acme'), { user: on('acme') })
    made.tree.write({ 'repo/.claude/settings.json': '{' })
    const catalog = await skillsOf(made).catalog()
    expect([shortly(catalog.errors), namesOf(catalog)]).toEqual([['invalid-settings :1'], ['acme:go']])
  })
})

describe('the marketplace of an installed plugin', () => {
  const bare = { [`${cache}/acme/1.0.0/skills/all/SKILL.md`]: 'all', [`${cache}/acme/1.0.0/other/one/SKILL.md`]: 'one' }
  const entry = { name: 'acme', source: './', strict: false, skills: ['./other/one'] }
  const market = { name: 'market', owner: { name: 'me' }, plugins: [{ name: 'x', source: './x' }, entry] }

  it('says which skills a plugin without a manifest has', async () => {
    const kept = { 'home/.claude/plugins/marketplaces/market/.claude-plugin/marketplace.json': JSON.stringify(market) }
    expect(namesOf(await skillsOf(home({ ...bare, ...kept }, user('acme'), { user: on('acme') })).catalog())).toEqual([
      'acme:one',
    ])
    expect(namesOf(await skillsOf(home(bare, user('acme'), { user: on('acme') })).catalog())).toEqual(['acme:all'])
  })

  it('is where Claude Code keeps it, and not read outside of its folder', async () => {
    const known = (location: string) => (path: string) => ({
      'home/.claude/plugins/known_marketplaces.json': JSON.stringify({
        market: { installLocation: `${path}/${location}` },
      }),
      [`${location}/.claude-plugin/marketplace.json`]: JSON.stringify(market),
    })
    const named = async (location: string) =>
      namesOf(await skillsOf(home(bare, user('acme'), { user: on('acme') }, known(location))).catalog())
    expect(await named('home/.claude/plugins/marketplaces/renamed')).toEqual(['acme:one'])
    expect(await named('elsewhere')).toEqual(['acme:all'])
  })

  it.each([
    ['is missing', undefined],
    ['names others', '{ "other": {} }'],
    ['cannot be read', '{'],
  ])('has to be one that Claude Code knows: nothing is loaded if its list %s', async (_, list) => {
    const given = home(cached('acme'), user('acme'), { user: on('acme') })
    if (list === undefined) given.tree.remove('home/.claude/plugins/known_marketplaces.json')
    else given.tree.write({ 'home/.claude/plugins/known_marketplaces.json': list })
    const skills = skillsOf(given)
    expect(namesOf(await skills.catalog())).toEqual([])
    expect((await skills.explain('acme:go')).notes.map(({ text }) => text)).toContain(
      'The plugin "acme" is installed by Claude Code from the marketplace "market", which its known_marketplaces.json does not list.',
    )
  })
})

it('values of settings come from the user, and not from a project', async () => {
  const folder = `${cache}/acme/1.0.0`
  const entries = {
    ...manifest(folder, { name: 'acme', userConfig: { place: { type: 'string' } } }),
    [`${folder}/skills/go/SKILL.md`]: '---\ndescription: Go.\n---\n',
  }
  const config = (place: string) => ({ ...on('acme'), pluginConfigs: { 'acme@market': { options: { place } } } })
  const catalog = await skillsOf(
    home(entries, user('acme'), { user: config('mine'), project: config('theirs') }),
  ).catalog()
  expect(commandOf(catalog, 'acme:go').resolveVariable('user_config.place')).toBe('mine')
})

it('a plugin that a person names is loaded in place of an installed one of its name', async () => {
  const made = home(
    { ...cached('acme'), ...manifest('mine', { name: 'acme' }), 'mine/skills/own/SKILL.md': 'own' },
    user('acme'),
    { user: on('acme') },
  )
  const catalog = await skillsOf(made, { plugins: [`${made.tree.path}/mine`] }).catalog()
  expect([namesOf(catalog), catalog.errors]).toEqual([['acme:own'], []])
})

it('hooks of an installed plugin run in Claude Code alone, until a person names its folder', async () => {
  const hooks = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } }
  const made = home(
    { ...cached('acme'), [`${cache}/acme/1.0.0/hooks/hooks.json`]: JSON.stringify(hooks) },
    user('acme'),
    { user: on('acme') },
  )
  const hooked = async (options: object): Promise<number> => {
    const skills = skillsOf(made, options)
    await skills.catalog()
    const all = await skills.use('source').each(async source => ('hooks' in source ? hooksOf(source) : []))
    return all.flatMap(({ value }) => value).length
  }
  expect(await hooked({})).toBe(0)
  const skills = skillsOf(made)
  await skills.catalog()
  expect((await skills.explain('acme:go')).notes.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('name its folder under "plugins"'),
  )
  expect(await hooked({ plugins: [{ path: at(made.tree.path, 'acme'), from: 'user' }] })).toBe(1)
})
