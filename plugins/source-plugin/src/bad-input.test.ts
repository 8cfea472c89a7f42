import { describe, expect, it } from 'vitest'
import { bodyOf, commandOf, engine, loaded, manifest, namesOf, shortly, temporary } from '../test/engine.js'

const good = { ...manifest('good', { name: 'good' }), 'good/skills/a/SKILL.md': 'a' }
const both = { plugins: ['acme', 'good'] }

describe('a manifest that is not valid disables its plugin alone', () => {
  it.each([
    ['empty', '', 'invalid-manifest', /is empty/],
    ['blank', ' \n', 'invalid-manifest', /is empty/],
    ['no JSON', '{ "name": }', 'invalid-manifest :1', /is not JSON/],
    ['a list', '[]', 'invalid-manifest', /must be an object/],
    ['no UTF-8', '\ufffd', 'invalid-manifest :1', /is not JSON/],
    ['without a name', '{}', 'invalid-manifest name', /"name" of the plugin manifest is missing/],
    [
      'with a name of a wrong type',
      '{\n  "name": 5\n}',
      'invalid-manifest name:2',
      /"name" of the plugin manifest must be text/,
    ],
    ['with a name that is none', '{\n  "name": "Some Name"\n}', 'invalid-plugin-name name:2', /lower-case letters/],
    [
      'with skills of a wrong type',
      '{ "name": "acme",\n "skills": { "a": 1 } }',
      'invalid-manifest skills:2',
      /must be a path or a list of paths/,
    ],
    [
      'with skillsPaths of a wrong type',
      '{ "name": "acme",\n\n "skillsPaths": "./x" }',
      'invalid-manifest skillsPaths:3',
      /must be a list/,
    ],
    [
      'with commands of a wrong type',
      '{ "name": "acme", "commands": 5 }',
      'invalid-manifest commands:1',
      /must be a path, a list of paths, or an object/,
    ],
    [
      'with a command that says nothing',
      '{ "name": "acme", "commands": { "a": {} } }',
      'invalid-manifest commands.a:1',
      /either "source" or "content"/,
    ],
    [
      'with a command that says too much',
      '{ "name": "acme", "commands": { "one": { "source": "./a.md", "content": "a" } } }',
      'invalid-manifest commands.one:1',
      /either "source" or "content"/,
    ],
    [
      'with a command of a wrong type',
      '{ "name": "acme", "commands": {\n "a": { "content": 5 } } }',
      'invalid-manifest commands.a.content:2',
      /must be text/,
    ],
    [
      'with a command of no name',
      '{ "name": "acme", "commands": { "../a": { "content": "a" } } }',
      'invalid-manifest commands:1',
      /no command can have/,
    ],
    [
      'with a setting of a wrong type',
      '{ "name": "acme", "userConfig": {\n "key": { "sensitive": "yes" } } }',
      'invalid-manifest userConfig.key.sensitive:2',
      /must be true or false/,
    ],
    [
      'with dependencies of a wrong type',
      '{ "name": "acme", "dependencies": "other" }',
      'invalid-manifest dependencies:1',
      /must be a list of names/,
    ],
  ])('%s', async (_what, text, short, message) => {
    const catalog = await loaded({ ...good, ...manifest('acme', text), 'acme/skills/x/SKILL.md': 'x' }, both)
    expect(shortly(catalog.errors)).toEqual([short])
    expect(catalog.errors[0]).toMatchObject({
      message: expect.stringMatching(message),
      path: `${catalog.path}/acme/.claude-plugin/plugin.json`,
      provider: 'plugin',
    })
    expect(namesOf(catalog)).toEqual(['good:a'])
    expect(catalog.places).toMatchObject([
      { path: `${catalog.path}/good`, found: 1 },
      { path: `${catalog.path}/acme`, state: 'unreadable', found: 0 },
    ])
  })

  it('too large, a folder, or a package file that is not JSON', async () => {
    expect(shortly((await loaded({ ...manifest('acme', ' '.repeat(1024 * 1024 + 1)) })).errors)).toEqual([
      'file-too-large',
    ])
    expect(shortly((await loaded({ 'acme/.claude-plugin/plugin.json/x': '' })).errors)).toEqual(['not-a-file'])
    expect(shortly((await loaded({ 'acme/package.json': '{', 'acme/skills/a/SKILL.md': 'a' })).errors)).toEqual([
      'invalid-manifest :1',
    ])
    expect(shortly((await loaded({ 'acme/package.json': '{ "name": 5, "skillsPaths": [] }' })).errors)).toEqual([
      'invalid-manifest name:1',
    ])
  })
})

describe('a plugin that is not there', () => {
  it('is an error that says so, and so is a file', async () => {
    const catalog = await loaded({ ...good, file: 'x' }, { plugins: ['acme', 'file', 'good'] })
    expect(shortly(catalog.errors)).toEqual(['plugin-not-found', 'unreadable'])
    expect(catalog.places).toMatchObject([
      { state: 'read' },
      { path: `${catalog.path}/acme`, state: 'missing' },
      { path: `${catalog.path}/file`, state: 'unreadable' },
    ])
    expect(namesOf(catalog)).toEqual(['good:a'])
  })

  it('because it was removed while it was loaded costs its own skills', async () => {
    const tree = temporary({ ...good, ...manifest('acme', { name: 'acme' }), 'acme/skills/x/SKILL.md': 'x' })
    let asked = 0
    // The clock is read once for each manifest, then for each folder that is listed.
    const clock = {
      now() {
        if (++asked === 3) tree.remove('acme')
        return Date.now() + 60_000
      },
      after: () => () => {},
    }
    const catalog = await engine(tree.path, both, { clock }).catalog()
    expect(asked).toBeGreaterThan(3)
    expect(namesOf(catalog)).toEqual(['good:a'])
    expect(catalog.errors.map(({ code }) => code)).toContain('plugin-not-found')
    expect(catalog.places).toMatchObject([
      { path: `${tree.path}/acme`, state: 'missing', found: 0 },
      { path: `${tree.path}/good`, found: 1 },
    ])
  })
})

describe('a path of a manifest', () => {
  it('that leads out of the plugin is an error, and costs that path alone', async () => {
    for (const path of ['../out', './../out', './a/../../out', '/out', 'C:\\out', '..\\out', './\0']) {
      const catalog = await loaded({
        ...manifest('acme', { name: 'acme', skills: [path, './in'] }),
        'acme/in/a/SKILL.md': 'a',
        'out/x/SKILL.md': 'x',
      })
      expect(shortly(catalog.errors), path).toEqual(['plugin-path-outside skills:3'])
      expect(catalog.errors[0]).toMatchObject({ type: 'traversal' })
      expect(namesOf(catalog)).toEqual(['acme:a'])
    }
    const commands = await loaded({
      ...manifest('acme', { name: 'acme', commands: { x: { source: '../x.md' }, y: { content: 'y' } } }),
      'x.md': 'x',
    })
    expect([shortly(commands.errors), namesOf(commands)]).toEqual([
      ['plugin-path-outside commands.x.source:5'],
      ['acme:y'],
    ])
  })

  it('that leads out through a link is an error, wherever the link stands', async () => {
    const out = { 'out/x/SKILL.md': 'x', 'out/c.md': 'c' }
    const skills = await loaded({
      ...out,
      ...manifest('acme', { name: 'acme', skills: './link' }),
      'acme/link': { link: '../out' },
      'acme/skills': { link: '../out' },
      'acme/commands': { link: '../out' },
    })
    expect(shortly(skills.errors)).toEqual(['link-escapes', 'link-escapes', 'link-escapes'])
    expect(skills.errors.map(({ type }) => type)).toEqual(['traversal', 'traversal', 'traversal'])
    expect(namesOf(skills)).toEqual([])
    const below = await loaded({
      ...out,
      ...manifest('acme', { name: 'acme', commands: './c.md' }),
      'acme/skills/x': { link: '../../out/x' },
      'acme/c.md': { link: '../out/c.md' },
    })
    expect([shortly(below.errors), namesOf(below)]).toEqual([['link-escapes', 'link-escapes'], []])
    for (const { message, hint } of [...skills.errors, ...below.errors])
      expect([message, hint]).toEqual([
        expect.stringMatching(/ \S+\/out\b\S*, outside \S+\/acme\.$/),
        'Copy it into the plugin.',
      ])
  })

  it('may lead through a link that stays inside', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'acme', skills: './link' }),
      'acme/own/a/SKILL.md': 'a',
      'acme/link': { link: 'own' },
    })
    expect(namesOf(catalog)).toEqual(['acme:a'])
    expect(await bodyOf(commandOf(catalog, 'acme:a'))).toBe('a')
  })

  it('that is not there is a warning', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'acme', skills: ['./none'], commands: ['./none.md'] }),
      'acme/skills/a/SKILL.md': 'a',
    })
    expect(shortly(catalog.warnings)).toEqual(['missing-plugin-path skills:3', 'missing-plugin-path commands:6'])
    expect(catalog.places).toMatchObject([{ state: 'read', found: 1 }])
  })

  it('without "./" is taken as it was meant, with a warning', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'acme', skills: ['own/a/SKILL.md', 'own/b'] }),
      'acme/own/a/SKILL.md': 'a',
      'acme/own/b/SKILL.md': 'b',
    })
    expect(namesOf(catalog)).toEqual(['acme:a', 'acme:b'])
    expect(shortly(catalog.warnings)).toEqual(['plugin-path-form skills:3'])
  })

  it.each(['.claude-plugin', '.claude-plugin/plugin.json'])(
    'cannot be reached through a %s that is a link out of the plugin',
    async link => {
      const target = link === '.claude-plugin' ? '../out' : '../../out/plugin.json'
      const catalog = await loaded({
        'out/plugin.json': '{ "name": "acme" }',
        [`acme/${link}`]: { link: target },
        'acme/skills/a/SKILL.md': 'a',
      })
      expect([shortly(catalog.errors), namesOf(catalog)]).toEqual([['link-escapes'], []])
      expect(catalog.errors).toMatchObject([
        { message: expect.stringMatching(/, outside \S+\/acme\.$/), hint: expect.stringContaining('Copy it') },
      ])
    },
  )

  it.each(['skills', 'skillsPath', 'skillsPaths'])(
    'in %s that leads to a file of another name is a warning, and costs that path alone',
    async key => {
      const files = {
        'acme/README': 'x',
        'acme/one.md': '---\ndescription: One.\n---\n',
        'acme/skills/notes.md': 'x',
        'acme/own/a/SKILL.md': 'a',
        'acme/low/skill.md': 'b',
      }
      for (const path of ['./README', './one.md', './skills/notes.md', './one.md/SKILL.md']) {
        const catalog = await loaded({
          ...files,
          ...manifest('acme', { name: 'acme', [key]: key === 'skillsPath' ? path : [path, './own'] }),
        })
        expect(shortly([...catalog.errors, ...catalog.warnings]), path).toEqual([`plugin-path-file ${key}:3`])
        expect(catalog.warnings).toMatchObject([
          {
            path: `${catalog.path}/acme/.claude-plugin/plugin.json`,
            message: expect.stringContaining(
              `${catalog.path}/acme/${path.slice(2).replace('/SKILL.md', '')} as a skill`,
            ),
          },
        ])
        expect(namesOf(catalog), path).toEqual(key === 'skillsPath' ? [] : ['acme:a'])
      }
      const called = await loaded({
        ...files,
        ...manifest('acme', {
          name: 'acme',
          [key]: key === 'skillsPath' ? './own/a/SKILL.md' : ['./own/a/SKILL.md'],
          commands: './one.md',
        }),
      })
      expect([namesOf(called), called.errors, called.warnings]).toEqual([['acme:a', 'acme:one'], [], []])
    },
  )

  it('may lead to a SKILL.md in upper or lower case', async () => {
    const catalog = await loaded({
      ...manifest('acme', { name: 'acme', skills: './low/Skill.md' }),
      'acme/low/Skill.md': 'a',
    })
    expect(shortly(catalog.warnings)).not.toContain('plugin-path-file skills:3')
    expect(namesOf(catalog)).toHaveLength(1)
  })
})

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

it.each<readonly [what: string, file: string, text: (rest: string) => string, code: string]>([
  [
    'a manifest',
    'acme/.claude-plugin/plugin.json',
    rest => `{ "name": "acme", "x": ${deep(5_000)}${rest} }`,
    'invalid-manifest',
  ],
  [
    'hooks of a manifest',
    'acme/.claude-plugin/plugin.json',
    rest => `{ "name": "acme", "hooks": { "Stop": ${deep(5_000)} }${rest} }`,
    'invalid-manifest',
  ],
  [
    'a package file',
    'acme/package.json',
    rest => `{ "name": "acme", "skillsPaths": [], "x": ${deep(5_000)}${rest} }`,
    'invalid-manifest',
  ],
  [
    'a marketplace',
    'market/.claude-plugin/marketplace.json',
    rest => `{ "name": "m", "plugins": [{ "name": "p", "source": "./p", "x": ${deep(5_000)} }]${rest} }`,
    'invalid-marketplace',
  ],
])(
  '%s that is nested too deep costs its own plugins alone, at first and when it changed',
  async (_what, file, text, code) => {
    const tree = temporary({
      ...good,
      'acme/skills/x/SKILL.md': 'x',
      'market/p/skills/y/SKILL.md': 'y',
      [file]: text(''),
    })
    const skills = engine(
      tree.path,
      code === 'invalid-manifest' ? both : { plugins: ['good'], marketplaces: ['market'] },
    )
    const first = await skills.catalog()
    tree.write({ [file]: text(', "version": "2"') })
    for (const catalog of [first, await skills.refresh(), await skills.refresh()]) {
      expect(namesOf(catalog)).toEqual(['good:a'])
      expect(catalog.errors).toMatchObject([
        { code, path: `${tree.path}/${file}`, message: expect.stringContaining(' 100 levels') },
      ])
    }
  },
)

describe('a name', () => {
  it('of a source or of a server is refused', async () => {
    for (const name of ['user', 'project', 'managed', 'additional', 'plugin', 'bundled', 'mcp', 'builtin', 'mcp__x']) {
      const catalog = await loaded({ ...good, ...manifest('acme', { name }), 'acme/skills/x/SKILL.md': 'x' }, both)
      expect([shortly(catalog.errors), namesOf(catalog)], name).toEqual([['reserved-plugin-name name:2'], ['good:a']])
    }
  })

  it('that two plugins have belongs to the first that is named, regardless of its version', async () => {
    const tree = {
      ...manifest('old', { name: 'acme', version: '1.0.0' }),
      'old/skills/a/SKILL.md': 'a',
      'old/skills/b/SKILL.md': 'b',
      ...manifest('new', { name: 'acme', version: '2.0.0' }),
      'new/skills/a/SKILL.md': 'other',
    }
    const catalog = await loaded(tree, { plugins: ['old', 'new'] })
    expect(namesOf(catalog)).toEqual(['acme:a', 'acme:b'])
    expect(catalog.errors).toMatchObject([
      {
        code: 'plugin-name-taken',
        name: 'acme',
        path: `${catalog.path}/new/.claude-plugin/plugin.json`,
        message: `The plugin "acme" at ${catalog.path}/new (2.0.0) is not loaded: the plugin at ${catalog.path}/old (1.0.0) has the same name and comes first.`,
      },
    ])
    expect(catalog.places).toMatchObject([
      { path: `${catalog.path}/old`, found: 2 },
      { path: `${catalog.path}/new`, state: 'skipped', note: expect.stringContaining(`${catalog.path}/old (1.0.0)`) },
    ])
    expect(namesOf(await loaded(tree, { plugins: ['new', 'old'] }))).toEqual(['acme:a'])
  })
})

describe('dependencies', () => {
  it('that are not loaded are a warning, with the closest name', async () => {
    const catalog = await loaded(
      {
        ...good,
        ...manifest('acme', { name: 'acme', dependencies: ['goood', { name: 'none', version: '^1' }, 'good@market'] }),
      },
      both,
    )
    expect(catalog.warnings).toMatchObject([
      { code: 'missing-dependency', name: 'acme', hint: 'Did you mean "good"?' },
      { code: 'missing-dependency', hint: 'Configure the plugin "none" too.' },
    ])
  })

  it('in a cycle are an error that names it, once, and the plugins are loaded', async () => {
    const tree = Object.assign(
      {},
      ...[
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
        ['d', 'a'],
        ['e', 'e'],
      ].map(([name = '', wanted]) => ({
        ...manifest(name, { name, dependencies: { [wanted ?? '']: '*' } }),
        [`${name}/skills/x/SKILL.md`]: name,
      })),
    )
    const catalog = await loaded(tree, { plugins: ['d', 'a', 'b', 'c', 'e'] })
    expect(namesOf(catalog)).toEqual(['d:x', 'a:x', 'b:x', 'c:x', 'e:x'])
    expect(catalog.errors.map(({ code, message }) => [code, message])).toEqual([
      ['dependency-cycle', expect.stringContaining('a → b → c → a')],
      ['dependency-cycle', expect.stringContaining('e → e')],
    ])
  })
})

it('keys that do nothing are a warning, with the one that was meant', async () => {
  const catalog = await loaded(
    { ...good, ...manifest('acme', { name: 'acme', skilsPath: './x', mcpServers: {}, unheard: 1, author: 5 }) },
    both,
  )
  expect(catalog.warnings).toMatchObject([
    { code: 'unknown-manifest-key', field: 'skilsPath', line: 3, hint: expect.stringContaining('"skillsPath"') },
    { code: 'unknown-manifest-key', field: 'unheard', line: 5 },
  ])
  expect(catalog.errors).toEqual([])
})

it('a key has its own line, however many there are of its name', async () => {
  const command = (source: unknown) => ({ description: 'name', source })
  const catalog = await loaded(
    {
      ...good,
      ...manifest('acme', {
        author: { name: 'x', skills: 'y' },
        commands: { skills: command('./a.md'), y: command(5) },
        skills: [],
        name: 'acme',
      }),
    },
    both,
  )
  expect(catalog.errors).toMatchObject([{ code: 'invalid-manifest', field: 'commands.y.source', line: 13 }])
  const packaged = await loaded(
    {
      ...good,
      'acme/package.json': JSON.stringify(
        { name: 'acme', keywords: ['skills'], skillsPaths: './skills', skills: { skillsPaths: 5, name: 'acme' } },
        null,
        1,
      ),
    },
    both,
  )
  expect(packaged.errors).toMatchObject([{ code: 'invalid-manifest', field: 'skillsPaths', line: 8 }])
  const listed = await loaded(
    {
      ...good,
      'acme/package.json': JSON.stringify(
        { name: 'acme', skillsPaths: ['./skills'], skills: { skillsPaths: ['./a', 3] } },
        null,
        1,
      ),
    },
    both,
  )
  expect(listed.errors).toMatchObject([{ code: 'invalid-manifest', field: 'skillsPaths[1]', line: 7 }])
})
