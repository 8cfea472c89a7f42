import { describe, expect, it } from 'vitest'
import { engine, loaded, manifest, namesOf, shortly, temporary } from '../test/engine.js'
import { pluginSource, type PluginSourceOptions } from './index.js'

const withSkills = JSON.stringify({
  name: '@acme/tools',
  version: '1.0.0',
  skillsPaths: ['./prompts'],
  main: './index.js',
})

describe('a plugin in an npm package', () => {
  it('is found as Node finds it, upward from the folder of the configuration, and nothing of it is imported', async () => {
    const { path } = temporary({
      'home/node_modules/@acme/tools/package.json': withSkills,
      'home/node_modules/@acme/tools/prompts/a/SKILL.md': 'a',
      'home/node_modules/@acme/tools/index.js': 'throw new Error("It was imported.")',
      'home/config/x': '',
    })
    const catalog = await engine(path, {
      packages: [{ name: '@acme/tools', folder: 'home/config', from: 'user' }],
    }).catalog()
    expect(catalog.entries).toMatchObject([
      {
        name: 'tools:a',
        command: { plugin: { from: 'user', path: `${path}/home/node_modules/@acme/tools`, version: '1.0.0' } },
      },
    ])
    expect(catalog.errors).toEqual([])
  })

  it('may be a link, as package managers install them, and is contained where it really lies', async () => {
    const { path } = temporary({
      'store/tools/package.json': withSkills,
      'store/tools/prompts/a/SKILL.md': 'a',
      'store/tools/prompts/out': { link: '../../other' },
      'store/other/SKILL.md': 'x',
      'node_modules/tools': { link: '../store/tools' },
    })
    const catalog = await engine(path, { packages: [{ name: 'tools', folder: path }] }).catalog()
    expect(namesOf(catalog)).toEqual(['tools:a'])
    expect(shortly(catalog.errors)).toEqual(['link-escapes'])
  })

  it('that no one named gains nothing by its fields, be it installed or depended on', async () => {
    const { path } = temporary({
      'node_modules/a/package.json': JSON.stringify({ name: 'a', skillsPaths: ['./s'], dependencies: { b: '1' } }),
      'node_modules/a/s/x/SKILL.md': 'x',
      'node_modules/b/package.json': JSON.stringify({ name: 'b', skillsPaths: ['./s'] }),
      'node_modules/b/s/y/SKILL.md': 'y',
      'node_modules/a/node_modules/c/package.json': JSON.stringify({ name: 'c', skillsPaths: ['./s'] }),
      'node_modules/a/node_modules/c/s/z/SKILL.md': 'z',
    })
    const catalog = await engine(path, { packages: [{ name: 'a', folder: '.' }], plugins: [] }).catalog()
    expect(namesOf(catalog)).toEqual(['a:x'])
    expect(catalog.warnings).toEqual([])
  })

  it('that is not installed is an error, unless it is off', async () => {
    const { path } = temporary({ 'node_modules/empty/x': '' })
    const off = await engine(path, { packages: [{ name: 'none', folder: '.', enabled: false }] }).catalog()
    expect([off.errors, off.places]).toMatchObject([
      [],
      [{ state: 'skipped', note: expect.stringContaining('The host ') }],
    ])
    const on = await engine(path, {
      packages: [
        { name: 'none', folder: '.' },
        { name: 'empty', folder: '.' },
      ],
    }).catalog()
    expect(shortly(on.errors)).toEqual(['plugin-not-found', 'plugin-not-found'])
    expect(on.places).toMatchObject([{ path: `${path}/node_modules/none`, state: 'missing' }, { state: 'missing' }])
  })

  it('may have a manifest like any other plugin, and has to have something', async () => {
    const { path } = temporary({
      ...manifest('node_modules/a', { name: 'own-name' }),
      'node_modules/a/package.json': '{}',
      'node_modules/a/skills/x/SKILL.md': 'x',
      'node_modules/b/package.json': '{ "name": "b" }',
    })
    const catalog = await engine(path, {
      packages: [
        { name: 'a', folder: '.' },
        { name: 'b', folder: '.' },
      ],
    }).catalog()
    expect(namesOf(catalog)).toEqual(['own-name:x'])
    expect(shortly(catalog.errors)).toEqual(['no-plugin'])
  })

  it('is named as npm names it: nothing else leads anywhere', () => {
    for (const name of ['../x', '@acme/../x', '/x', '', '@acme', 'a/b', '.x', 'a\\b']) {
      expect(() => pluginSource({ packages: [{ name, folder: '/' }] }), name).toThrow(
        expect.objectContaining({ code: 'E_INVALID_OPTION' }),
      )
    }
  })

  it.each([
    ['a name alone', '@acme/tools'],
    ['no folder', { name: '@acme/tools' }],
  ])('is refused with %s, and it is said what to write', (_what, one) => {
    const packages = [one] as unknown as NonNullable<PluginSourceOptions['packages']>
    expect(() => pluginSource({ packages })).toThrow(
      expect.objectContaining({
        code: 'E_INVALID_OPTION',
        message: expect.stringContaining('"@acme/tools" is given without the folder'),
        hint: expect.stringContaining('{ name: "@acme/tools", folder: process.cwd() }'),
      }),
    )
  })
})

it('plugins come in the order of folders, packages, marketplaces', async () => {
  const catalog = await loaded(
    {
      'a/skills/x/SKILL.md': 'a',
      'node_modules/b/package.json': '{ "skillsPath": "./s", "name": "b" }',
      'node_modules/b/s/x/SKILL.md': 'b',
      'm/.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins: [{ name: 'c', source: './c' }] }),
      'm/c/skills/x/SKILL.md': 'c',
    },
    { marketplaces: ['m'], packages: [{ name: 'b', folder: '.' }], plugins: ['a'] },
  )
  expect(namesOf(catalog)).toEqual(['a:x', 'b:x', 'c:x'])
})
