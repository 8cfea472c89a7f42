import { describe, expect, it } from 'vitest'
import { pluginSource } from './index.js'
import {
  bodyOf,
  commandOf,
  engine,
  loaded,
  manifest,
  marketplace,
  namesOf,
  shortly,
  temporary,
} from '../test/engine.js'

describe('a plugin', () => {
  it('gives its skills and commands, named after it', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'acme-tools', version: '1.2.0' }),
      'acme/skills/deploy/SKILL.md': '---\nname: deploy\n---\nShip.',
      'acme/skills/group/lint/SKILL.md': 'Lint.',
      'acme/commands/git/push.md': 'Push.',
      'acme/agents/other/SKILL.md': 'No skill.',
    })
    expect(namesOf(catalog)).toEqual(['acme-tools:deploy', 'acme-tools:group:lint', 'acme-tools:git:push'])
    expect(commandOf(catalog, 'acme-tools:deploy')).toMatchObject({
      displayName: 'deploy',
      source: 'plugin',
      loadedFrom: 'plugin',
      pluginName: 'acme-tools',
      isSkill: true,
      progressMessage: 'loading',
      qualifier: 'plugin',
      baseDir: `${catalog.path}/acme/skills/deploy`,
      plugin: { name: 'acme-tools', version: '1.2.0', from: 'host', path: `${catalog.path}/acme` },
    })
    expect(commandOf(catalog, 'acme-tools:git:push')).toMatchObject({
      source: 'plugin',
      loadedFrom: 'plugin',
      isSkill: false,
      progressMessage: 'running',
    })
    expect(catalog.places).toEqual([{ path: `${catalog.path}/acme`, state: 'read', found: 3, provider: 'plugin' }])
    expect([...catalog.errors, ...catalog.warnings]).toEqual([])
  })

  it('without a manifest is called as its folder, which has to hold what a plugin holds', async () => {
    for (const entry of ['skills/a/SKILL.md', 'commands/a.md', 'SKILL.md']) {
      expect(namesOf(await loaded({ [`acme/${entry}`]: 'a' })), entry).toEqual([
        entry === 'SKILL.md' ? 'acme:acme' : 'acme:a',
      ])
    }
    const nothing = await loaded({ 'acme/README.md': 'x', 'acme/.claude-plugin/other.json': '{}' })
    expect(shortly(nothing.errors)).toEqual(['no-plugin'])
    expect(nothing.places).toMatchObject([{ state: 'unreadable', found: 0 }])
    const own = { 'of-acme/.claude-plugin/plugin.json': '{"name":"acme"}', 'of-acme/SKILL.md': 'Own.' }
    expect(namesOf(await loaded(own, { plugins: ['of-acme'] }))).toEqual(['acme:acme'])
    expect(namesOf(await loaded(own, { plugins: ['of-acme'], skillNames: 'folder' }))).toEqual(['acme:of-acme'])
    expect(namesOf(await loaded({ 'My__Plugin/skills/a/SKILL.md': 'a' }, { plugins: ['My__Plugin'] }))).toEqual([
      'my-plugin:a',
    ])
    expect(shortly((await loaded({ '__/skills/a/SKILL.md': 'a' }, { plugins: ['__'] })).errors)).toEqual([
      'invalid-plugin-name',
    ])
  })

  it('without a manifest may be a folder of skills, or sort them into hidden ones', async () => {
    expect(namesOf(await loaded({ 'acme/a/SKILL.md': 'a', 'acme/group/b/SKILL.md': 'b' }))).toEqual([
      'acme:a',
      'acme:group:b',
    ])
    expect(
      namesOf(
        await loaded({
          'acme/skills/.curated/a/SKILL.md': 'a',
          'acme/skills/.system/b/SKILL.md': 'b',
          'acme/skills/c/SKILL.md': 'c',
        }),
      ),
    ).toEqual(['acme:c', 'acme:a', 'acme:b'])
    const both = await loaded({ 'acme/SKILL.md': 'own', 'acme/a/SKILL.md': 'a' })
    expect([namesOf(both), both.warnings]).toEqual([['acme:a', 'acme:acme'], []])
    expect(namesOf(await loaded({ 'acme/cloud/a/SKILL.md': 'a' }))).toEqual(['acme:cloud:a'])
    expect((await loaded({ ...marketplace('acme', []) })).errors).toMatchObject([
      { code: 'no-plugin', hint: expect.stringContaining('This folder is a marketplace') as string },
    ])
  })

  it('with a SKILL.md is a skill of its own name, besides those in its folder', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'one' }),
      'acme/SKILL.md': 'Own.',
      'acme/skills/a/SKILL.md': 'a',
      'acme/docs/x/SKILL.md': 'x',
    })
    expect(namesOf(catalog)).toEqual(['one:a', 'one:one'])
    expect(commandOf(catalog, 'one:one')).toMatchObject({
      baseDir: `${catalog.path}/acme`,
      filePath: `${catalog.path}/acme/SKILL.md`,
      isSkill: true,
    })
  })

  it('may be described by the fields of a package.json', async () => {
    const tree = { 'acme/own/a/SKILL.md': 'a', 'acme/skills/b/SKILL.md': 'b' }
    const inPackage = async (data: object) =>
      namesOf(
        await loaded({
          ...tree,
          'acme/package.json': JSON.stringify({ name: '@acme/Some.tools', version: '1.0.0', scripts: {}, ...data }),
        }),
      )
    expect(await inPackage({ skillsPaths: ['./own'] })).toEqual(['some-tools:b', 'some-tools:a'])
    expect(await inPackage({ skillsPath: './own' })).toEqual(['some-tools:b', 'some-tools:a'])
    expect(await inPackage({ skills: { name: 'short', skills: ['./own'] } })).toEqual(['short:b', 'short:a'])
    expect(await inPackage({})).toEqual(['acme:b'])
    expect(
      namesOf(
        await loaded({
          ...tree,
          ...manifest('acme', { name: 'other' }),
          'acme/package.json': '{ "skillsPaths": ["./own"] }',
        }),
      ),
    ).toEqual(['other:b'])
  })

  it('adds the folders it names to its skills, a folder with a SKILL.md as one skill, and reads nothing twice', async () => {
    const catalog = await loaded({
      ...manifest('acme', {
        name: 'acme',
        skills: ['./more', './single', './skills/a', './skills/c/SKILL.md'],
        skillsPath: './third',
        skillsPaths: ['./.hidden'],
      }),
      'acme/skills/a/SKILL.md': 'a',
      'acme/skills/c/SKILL.md': 'c',
      'acme/more/b/SKILL.md': 'b',
      'acme/single/SKILL.md': 'single',
      'acme/single/x/SKILL.md': 'x',
      'acme/third/t/SKILL.md': 't',
      'acme/.hidden/h/SKILL.md': 'h',
    })
    expect(namesOf(catalog)).toEqual(['acme:b', 'acme:single', 'acme:a', 'acme:c', 'acme:t', 'acme:h'])
    expect([...catalog.errors, ...catalog.warnings, ...catalog.collisions]).toEqual([])
  })

  it('has every skill that it names, also below one that is searched no further', async () => {
    expect(
      namesOf(
        await loaded({
          ...manifest('acme', { name: 'acme', skills: ['./', './a'] }),
          'acme/SKILL.md': 'own',
          'acme/a/SKILL.md': 'a',
        }),
      ),
    ).toEqual(['acme:acme', 'acme:a'])
    expect(
      namesOf(
        await loaded({
          ...manifest('acme', { name: 'acme', skills: ['./skills/', './skills/a'] }),
          'acme/skills/a/SKILL.md': 'a',
        }),
      ),
    ).toEqual(['acme:a'])
  })

  it('may name itself as the folder of its skills', async () => {
    expect(
      namesOf(
        await loaded({
          ...manifest('acme', { name: 'acme', skills: '.' }),
          'acme/a/SKILL.md': 'a',
          'acme/.git/x/SKILL.md': 'x',
        }),
      ),
    ).toEqual(['acme:a'])
    expect(
      namesOf(
        await loaded({
          ...manifest('acme', { name: 'other', skills: './' }),
          'acme/SKILL.md': 'own',
          'acme/a/SKILL.md': 'a',
        }),
      ),
    ).toEqual(['other:other'])
  })

  it('replaces its commands by those that it names', async () => {
    const tree = { 'acme/commands/a.md': 'a', 'acme/cmds/b/c.md': 'c', 'acme/docs/d.md': 'd' }
    const withCommands = async (commands: unknown) =>
      namesOf(await loaded({ ...tree, ...manifest('acme', { name: 'acme', commands }) }))
    expect(await withCommands(undefined)).toEqual(['acme:a'])
    expect(await withCommands('./cmds')).toEqual(['acme:b:c'])
    expect(await withCommands(['./cmds/', './docs/d.md'])).toEqual(['acme:b:c', 'acme:d'])
    expect(await withCommands([])).toEqual([])
  })

  it('describes commands, in files and in texts', async () => {
    const catalog = await loaded({
      ...manifest('acme', {
        name: 'acme',
        commands: {
          about: {
            source: './README.md',
            description: 'Tells what this is.',
            argumentHint: '[topic]',
            model: 'inherit',
            allowedTools: ['Read'],
          },
          'git:hi': { content: '# Say hi\n\nTo everyone.', allowedTools: 'Read, Bash(${CLAUDE_PLUGIN_ROOT}/hi.sh:*)' },
        },
      }),
      'acme/README.md': '---\ndescription: Other.\nversion: "2"\n---\nText.',
    })
    expect(commandOf(catalog, 'acme:about')).toMatchObject({
      description: 'Tells what this is.',
      hasUserSpecifiedDescription: true,
      argumentHint: '[topic]',
      model: undefined,
      allowedTools: ['Read'],
      version: '2',
      isSkill: false,
      filePath: `${catalog.path}/acme/README.md`,
    })
    const text = commandOf(catalog, 'acme:git:hi')
    expect(text).toMatchObject({
      description: 'Say hi',
      hasUserSpecifiedDescription: false,
      loadedFrom: 'plugin',
      source: 'plugin',
      pluginName: 'acme',
      isSkill: false,
      progressMessage: 'running',
      contentLength: 22,
      allowedTools: ['Read', `Bash(${catalog.path}/acme/hi.sh:*)`],
      plugin: { name: 'acme' },
    })
    expect(await bodyOf(text)).toBe('# Say hi\n\nTo everyone.')
    await expect(async () => text.load('', { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
    expect(catalog.places).toMatchObject([{ found: 2 }])
  })

  it('is off when configuration says so, and shadows nothing', async () => {
    const { path } = temporary({
      ...manifest('one', { name: 'acme' }),
      'one/skills/a/SKILL.md': 'a',
      ...manifest('two', { name: 'acme' }),
      'two/skills/b/SKILL.md': 'b',
    })
    const catalog = await engine(path, { plugins: [{ path: 'one', enabled: false, from: 'user' }, 'two'] }).catalog()
    expect(namesOf(catalog)).toEqual(['acme:b'])
    expect(catalog.errors).toEqual([])
    expect(catalog.places).toMatchObject([
      { path: `${path}/two`, state: 'read' },
      { path: `${path}/one`, state: 'skipped', found: 0, note: expect.stringContaining('The user ') },
    ])
  })

  it('keeps who named it, for code that decides how far it is trusted', async () => {
    const { path } = temporary({
      ...manifest('one', { name: 'one' }),
      'one/skills/a/SKILL.md': 'a',
      ...manifest('two', { name: 'two', commands: { b: { content: 'b' } } }),
    })
    const catalog = await engine(path, {
      plugins: [
        { path: 'one', from: 'project' },
        { path: 'two', from: 'managed' },
      ],
    }).catalog()
    expect([commandOf(catalog, 'one:a').plugin.from, commandOf(catalog, 'two:b').plugin.from]).toEqual([
      'project',
      'managed',
    ])
  })

  it('is one, named any number of times and through any links', async () => {
    const { path } = temporary({
      ...manifest('one', { name: 'acme' }),
      'one/skills/a/SKILL.md': 'a',
      link: { link: 'one' },
    })
    const catalog = await engine(path, { plugins: ['one', `${path}/one/`, 'link'] }).catalog()
    expect(namesOf(catalog)).toEqual(['acme:a'])
    expect(catalog.errors).toEqual([])
    expect(catalog.places).toHaveLength(1)
  })

  it('has the skills that it lists and not the drafts beside them, each by its short name, however deep it lies', async () => {
    const tree = Object.fromEntries(
      ['engineering/tdd', 'engineering/triage', 'personal/notes', 'drafts/half'].map(name => [
        `acme/skills/${name}/SKILL.md`,
        `---\nname: ${name.split('/')[1]}\n---\nx`,
      ]),
    )
    const listing = async (skills: unknown, data: object = {}) =>
      loaded({ ...tree, ...manifest('acme', { name: 'acme', skills, ...data }) })
    expect(namesOf(await listing(['./skills/engineering/tdd', './skills/engineering/triage']))).toEqual([
      'acme:tdd',
      'acme:triage',
    ])
    expect(namesOf(await listing(['./skills/engineering', './skills/personal']))).toEqual([
      'acme:tdd',
      'acme:triage',
      'acme:notes',
    ])
    expect(namesOf(await listing(undefined))).toEqual([
      'acme:drafts:half',
      'acme:engineering:tdd',
      'acme:engineering:triage',
      'acme:personal:notes',
    ])
    const marketed = await loaded(
      { ...tree, ...marketplace('.', [{ name: 'acme', source: './acme', skills: ['./skills/engineering/tdd'] }]) },
      { marketplaces: ['.'] },
    )
    expect(namesOf(marketed)).toEqual(['acme:tdd'])
  })

  it('reaches a file by two of its folders once, by the shorter name, and tells once what is wrong with one', async () => {
    const both = await loaded({
      ...manifest('acme', { name: 'acme', skills: ['./skills/', './skills/g/tdd', './skills/g/bad'] }),
      'acme/skills/g/tdd/SKILL.md': 'x',
      'acme/skills/b/SKILL.md': 'b',
      'acme/skills/g/bad/SKILL.md': '---\n{\n---\n',
    })
    expect(namesOf(both)).toEqual(['acme:b', 'acme:tdd'])
    expect(both.collisions).toEqual([])
    expect(both.errors).toHaveLength(1)
    expect(both.places).toMatchObject([{ found: 2 }])
  })

  it('answers to the name in the file of a skill too, and shows that of its folder', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'acme' }),
      'acme/skills/g/web-tests/SKILL.md': '---\nname: webapp-testing\naliases: [w]\n---\nx',
    })
    expect(namesOf(catalog)).toEqual(['acme:g:web-tests'])
    expect(catalog.lookup('acme:g:webapp-testing')?.name).toBe('acme:g:web-tests')
    expect(commandOf(catalog, 'acme:g:web-tests').aliases).toEqual(['w', 'acme:g:webapp-testing'])
    const taken = await loaded({
      ...manifest('acme', { name: 'acme' }),
      'acme/skills/a/SKILL.md': '---\nname: b\n---\n',
      'acme/skills/b/SKILL.md': 'b',
    })
    expect([taken.lookup('acme:b')?.name, taken.warnings]).toEqual(['acme:b', []])
  })

  it("takes its layout from the host, and is searched deeply where agents' own folders are not", async () => {
    const { path } = temporary({
      'acme/skills/a/SKILL.md': 'a',
      'acme/skills/group/b/SKILL.md': 'b',
      'acme/skills/group/deeper/c/SKILL.md': 'c',
    })
    expect(namesOf(await engine(path, { plugins: ['acme'], layout: { walk: 'flat', depth: 2 } }).catalog())).toEqual([
      'acme:a',
      'acme:group:b',
    ])
  })
})

it('without plugins there is nothing, and nothing is looked at', async () => {
  const catalog = await loaded({ 'acme/skills/a/SKILL.md': 'a' }, {})
  expect([...catalog.entries, ...catalog.errors, ...catalog.places]).toEqual([])
  expect(pluginSource()).toMatchObject({ kind: 'source', id: 'plugin' })
  expect(pluginSource({ order: 2, limitMs: 5 })).toMatchObject({ order: 2, limitMs: 5 })
})

describe('a name that a skill and a command of a plugin both have', () => {
  it.each([
    ['skills', true],
    ['commands', false],
  ] as const)('belongs to the %s where these come first', async (first, isSkill) => {
    const catalog = await loaded(
      {
        ...manifest('acme', { name: 'acme' }),
        'acme/skills/deploy/SKILL.md': 'Skill.',
        'acme/commands/deploy.md': 'Command.',
      },
      { plugins: ['acme'], first },
    )
    expect(commandOf(catalog, 'acme:deploy')).toMatchObject({ isSkill })
  })
})
