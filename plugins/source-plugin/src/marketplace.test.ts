import { describe, expect, it } from 'vitest'
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

const market = { marketplaces: ['market'] }

describe('a marketplace', () => {
  it('stands for the local plugins that it names', async () => {
    const catalog = await loaded(
      {
        ...marketplace(
          'market',
          [
            { name: 'one', source: './tools/one' },
            { name: 'entry-name', source: './tools/two/' },
            { name: 'bare', source: 'three' },
          ],
          { metadata: { pluginRoot: './tools' } },
        ),
        ...manifest('market/tools/one', { name: 'one' }),
        'market/tools/one/skills/a/SKILL.md': 'a',
        ...manifest('market/tools/two', { name: 'two' }),
        'market/tools/two/skills/b/SKILL.md': 'b',
        'market/tools/three/skills/c/SKILL.md': 'c',
        'market/tools/four/skills/d/SKILL.md': 'd',
      },
      market,
    )
    expect(namesOf(catalog)).toEqual(['one:a', 'two:b', 'bare:c'])
    expect([...catalog.errors, ...catalog.warnings]).toEqual([])
    expect(await bodyOf(commandOf(catalog, 'two:b'))).toBe('b')
  })

  it('may be named by its file, and by whomever', async () => {
    const { path } = temporary({
      'market/list.json': JSON.stringify({ name: 'm', plugins: [{ name: 'one', source: './one' }] }),
      'market/one/skills/a/SKILL.md': 'a',
    })
    const catalog = await engine(path, { marketplaces: [{ path: 'market/list.json', from: 'managed' }] }).catalog()
    expect(commandOf(catalog, 'one:a').plugin.from).toBe('managed')
  })

  it('tells of plugins that lie elsewhere, and fetches none', async () => {
    const remote = (name: string) => ({ name, source: { source: 'git-subdir', url: 'https://git.invalid/x.git' } })
    const one = await loaded({ ...marketplace('market', [remote('far')]) }, market)
    expect(one.places).toMatchObject([
      {
        path: `${one.path}/market/.claude-plugin/marketplace.json`,
        state: 'skipped',
        note: expect.stringContaining(': far.'),
      },
    ])
    expect([...one.errors, ...one.warnings]).toEqual([])
    const many = await loaded(
      {
        ...marketplace(
          'market',
          Array.from({ length: 7 }, (_, at) => remote(`far-${at}`)),
        ),
      },
      market,
    )
    expect(many.places).toMatchObject([
      { note: expect.stringMatching(/^7 plugins .*: far-0, far-1, far-2, far-3, far-4, 2 more\.$/) },
    ])
  })

  it('says all there is to a plugin that is not strict, and lists its skills', async () => {
    const entry = { name: 'docs', source: './', strict: false, version: '3', skills: ['./skills/a'] }
    const catalog = await loaded(
      {
        ...marketplace('market', [
          entry,
          { ...entry, name: 'other', skills: ['./skills/b', './skills/a'], commands: './none.md' },
          { name: 'all', source: './', strict: false },
        ]),
        ...manifest('market', { name: 'not-this' }),
        'market/skills/a/SKILL.md': 'a',
        'market/skills/b/SKILL.md': 'b',
        'market/commands/c.md': 'c',
      },
      market,
    )
    expect(namesOf(catalog)).toEqual(['docs:a', 'other:b', 'all:c'])
    expect(catalog.collisions.map(({ rule, loser }) => `${rule} ${loser.command.name}`)).toEqual([
      'same-file other:a',
      'same-file all:a',
      'same-file all:b',
    ])
    expect(commandOf(catalog, 'docs:a').plugin.version).toBe('3')
    expect(shortly(catalog.warnings)).toEqual(['missing-plugin-path plugins[1].commands:25'])
  })

  it('warns of what a manifest names in vain beside an entry that says all there is', async () => {
    const catalog = await loaded(
      {
        ...marketplace('market', [
          { name: 'one', source: './one', strict: false },
          { name: 'two', source: './two', strict: false },
        ]),
        ...manifest('market/one', { name: 'one', skills: './own', hooks: {} }),
        ...manifest('market/two', { name: 'two' }),
        'market/one/own/a/SKILL.md': 'a',
        'market/one/skills/b/SKILL.md': 'b',
        'market/two/skills/c/SKILL.md': 'c',
      },
      market,
    )
    expect(namesOf(catalog)).toEqual(['one:b', 'two:c'])
    expect(catalog.warnings).toMatchObject([
      { code: 'unused-manifest', field: 'skills', message: expect.stringContaining('skills, hooks') as string },
    ])
  })

  it('adds skills to those of a strict plugin', async () => {
    const catalog = await loaded(
      {
        ...marketplace('market', [{ name: 'one', source: './one', skills: './more' }]),
        ...manifest('market/one', { name: 'one', skills: './own' }),
        'market/one/skills/a/SKILL.md': 'a',
        'market/one/own/b/SKILL.md': 'b',
        'market/one/more/c/SKILL.md': 'c',
      },
      market,
    )
    expect(namesOf(catalog)).toEqual(['one:a', 'one:b', 'one:c'])
  })

  it('adds skills to those of a strict plugin without a manifest, whose commands it replaces', async () => {
    const entries = [
      { name: 'mixed', source: './mixed', skills: ['./custom/e'] },
      { name: 'other', source: './other', strict: true, commands: './own' },
    ]
    const catalog = await loaded(
      {
        ...marketplace('market', entries),
        'market/mixed/custom/e/SKILL.md': 'e',
        'market/mixed/skills/c/SKILL.md': 'c',
        'market/other/skills/d/SKILL.md': 'd',
        'market/other/own/f.md': 'f',
        'market/other/commands/g.md': 'g',
      },
      market,
    )
    expect(namesOf(catalog).toSorted()).toEqual(['mixed:c', 'mixed:e', 'other:d', 'other:f'])
  })

  it('may name one plugin twice, and not two plugins of one name', async () => {
    const twice = await loaded(
      {
        ...marketplace('market', [
          { name: 'one', source: './one' },
          { name: 'former-name', source: './one' },
        ]),
        ...manifest('market/one', { name: 'one' }),
        'market/one/skills/a/SKILL.md': 'a',
      },
      market,
    )
    expect([namesOf(twice), twice.errors]).toEqual([['one:a'], []])
    const two = await loaded(
      {
        ...marketplace(
          'market',
          ['a', 'b'].map(skill => ({ name: 'one', source: './', strict: false, skills: [`./${skill}`] })),
        ),
        'market/a/SKILL.md': 'a',
        'market/b/SKILL.md': 'b',
      },
      market,
    )
    expect([namesOf(two), shortly(two.errors)]).toEqual([['one:a'], ['plugin-name-taken']])
  })

  it('has each of its plugins switched', async () => {
    const { path } = temporary({
      ...marketplace(
        'market',
        ['a', 'b', 'c'].map(name => ({ name, source: `./${name}` })),
      ),
      'market/a/skills/x/SKILL.md': 'x',
      'market/b/skills/x/SKILL.md': 'y',
      'market/c/skills/x/SKILL.md': 'z',
    })
    const named = async (options: object) => engine(path, { marketplaces: [{ path: 'market', ...options }] }).catalog()
    expect(namesOf(await named({ only: ['a', 'c'] }))).toEqual(['a:x', 'c:x'])
    const some = await named({ disabled: ['a'], from: 'user' })
    expect(namesOf(some)).toEqual(['b:x', 'c:x'])
    expect(some.places.find(({ state }) => state === 'skipped')).toMatchObject({
      path: `${path}/market/a`,
      note: expect.stringContaining('The user '),
    })
    expect(namesOf(await named({ enabled: false }))).toEqual([])
    const wrong = await named({ only: ['a', 'bb'], disabled: ['none-such'], config: { a: {} } })
    expect(wrong.warnings).toMatchObject([
      { code: 'unknown-marketplace-plugin', hint: expect.stringContaining('Did you mean') },
      { code: 'unknown-marketplace-plugin' },
    ])
  })

  it('that is not there, or not valid, is an error, and costs nothing else', async () => {
    const good = { 'good/skills/a/SKILL.md': 'a' }
    const options = { ...market, plugins: ['good'] }
    const of = async (text: string | undefined) => {
      const catalog = await loaded(
        { ...good, ...(text === undefined ? {} : { 'market/.claude-plugin/marketplace.json': text }) },
        options,
      )
      expect(namesOf(catalog)).toEqual(['good:a'])
      return shortly(catalog.errors)
    }
    expect(await of(undefined)).toEqual(['marketplace-not-found'])
    expect(await of('')).toEqual(['invalid-marketplace'])
    expect(shortly((await loaded({ market: { link: 'market' } }, market)).errors)).toEqual(['unreadable'])
    expect(await of('{')).toEqual(['invalid-marketplace :1'])
    expect(await of('{ "plugins": [] }')).toEqual(['invalid-marketplace name'])
    expect(await of('{ "name": "m",\n "plugins": {} }')).toEqual(['invalid-marketplace plugins:2'])
  })

  it('is not read through a link that leads out of it', async () => {
    const catalog = await loaded(
      { 'out.json': '{}', 'market/.claude-plugin/marketplace.json': { link: '../../out.json' } },
      market,
    )
    expect(catalog.errors).toMatchObject([
      { code: 'link-escapes', message: expect.stringMatching(/, outside \S+\/market\.$/) },
    ])
  })

  it('with an entry that is not valid loses that one alone', async () => {
    const catalog = await loaded(
      {
        ...marketplace('market', [
          5,
          { name: 'a' },
          { source: './b' },
          { name: 'c', source: './c', strict: 'no' },
          { name: 'd', source: './d' },
          { name: 'e', source: './e', strict: false, skills: 5 },
        ]),
        'market/d/skills/x/SKILL.md': 'x',
        'market/e/skills/x/SKILL.md': 'x',
      },
      market,
    )
    expect(shortly(catalog.errors)).toEqual([
      'invalid-marketplace plugins[0]:6',
      'invalid-marketplace plugins[1].source:8',
      'invalid-marketplace plugins[2].name:11',
      'invalid-marketplace plugins[3].strict:17',
      'invalid-manifest plugins[5].skills:27',
    ])
    expect(namesOf(catalog)).toEqual(['d:x'])
  })

  it('leads to no plugin outside of it, as it is written or through a link', async () => {
    const catalog = await loaded(
      {
        ...marketplace('market', [
          { name: 'a', source: '../a' },
          { name: 'b', source: '/b' },
          { name: 'c', source: './c' },
        ]),
        'a/skills/x/SKILL.md': 'x',
        'market/c': { link: '../a' },
      },
      market,
    )
    expect(shortly(catalog.errors)).toEqual([
      'plugin-path-outside plugins[0].source:9',
      'plugin-path-outside plugins[1].source:13',
      'plugin-path-outside plugins[2].source:17',
    ])
    expect(namesOf(catalog)).toEqual([])
  })
})
