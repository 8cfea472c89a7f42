import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodyOf, commandOf, engine, manifest, marketplace, namesOf, shortly, temporary } from '../test/engine.js'

describe('looking again', () => {
  it('gives the same catalog while nothing changed, also when files beside the manifest did', async () => {
    const tree = temporary({
      ...manifest('acme', { name: 'acme', commands: { b: { content: 'b' } } }),
      'acme/skills/a/SKILL.md': 'a',
    })
    const skills = engine(tree.path, { plugins: ['acme'] })
    const catalog = await skills.catalog()
    expect(await skills.refresh()).toBe(catalog)
    tree.write({ 'acme/LICENSE': 'x' })
    tree.remove('acme/LICENSE')
    const again = await skills.refresh()
    expect(namesOf(again)).toEqual(['acme:a', 'acme:b'])
    expect(again.get('acme:a')?.command).toBe(catalog.get('acme:a')?.command)
  })

  it('reads a manifest again that changed, and what it says now', async () => {
    const tree = temporary({
      ...manifest('acme', { name: 'acme' }),
      'acme/skills/a/SKILL.md': 'a',
      'acme/more/b/SKILL.md': 'b',
    })
    const skills = engine(tree.path, { plugins: ['acme'] })
    expect(namesOf(await skills.catalog())).toEqual(['acme:a'])
    tree.write(manifest('acme', { name: 'new-name', skills: './more' }))
    const catalog = await skills.refresh()
    expect(namesOf(catalog)).toEqual(['new-name:a', 'new-name:b'])
    expect(await bodyOf(commandOf(catalog, 'new-name:b'))).toBe('b')
    tree.write(manifest('acme', '{'))
    expect([namesOf(await skills.refresh()), shortly((await skills.catalog()).errors)]).toEqual([
      [],
      ['invalid-manifest :1'],
    ])
    tree.write(manifest('acme', { name: 'acme' }))
    expect(namesOf(await skills.refresh())).toEqual(['acme:a'])
  })

  it('finds a folder, a manifest, and a whole plugin that were not there', async () => {
    const tree = temporary({})
    const skills = engine(tree.path, { plugins: ['acme'] })
    expect(shortly((await skills.catalog()).errors)).toEqual(['plugin-not-found'])
    tree.write({ 'acme/commands/a.md': 'a' })
    expect(namesOf(await skills.refresh())).toEqual(['acme:a'])
    tree.write({ 'acme/skills/b/SKILL.md': 'b' })
    expect(namesOf(await skills.refresh())).toEqual(['acme:b', 'acme:a'])
    tree.write(manifest('acme', { name: 'named' }))
    expect(namesOf(await skills.refresh())).toEqual(['named:b', 'named:a'])
    rmSync(`${tree.path}/acme`, { recursive: true })
    const gone = await skills.refresh()
    expect([namesOf(gone), shortly(gone.errors)]).toEqual([[], ['plugin-not-found']])
    expect(gone.places).toMatchObject([{ state: 'missing' }])
  })

  it('at paths looks at those plugins alone', async () => {
    const tree = temporary({
      ...manifest('one', { name: 'one' }),
      'one/skills/a/SKILL.md': 'a',
      ...manifest('two', { name: 'two' }),
      'two/skills/a/SKILL.md': 'b',
    })
    const skills = engine(tree.path, { plugins: ['one', 'two'] })
    await skills.catalog()
    tree.write({ ...manifest('one', { name: 'uno' }), ...manifest('two', { name: 'dos' }) })
    expect(namesOf(await skills.refresh([`${tree.path}/two/.claude-plugin/plugin.json`]))).toEqual(['one:a', 'dos:a'])
    expect(namesOf(await skills.refresh([tree.path]))).toEqual(['uno:a', 'dos:a'])
  })

  it('finds that a path among skills became a file, or is one no longer', async () => {
    const tree = temporary({ ...manifest('acme', { name: 'acme', skills: './more/own' }), 'acme/more/own': 'x' })
    const skills = engine(tree.path, { plugins: ['acme'] })
    const file = [[], ['plugin-path-file skills:3']]
    const seen = async () => {
      const catalog = await skills.refresh()
      return [namesOf(catalog), shortly([...catalog.errors, ...catalog.warnings])]
    }
    expect(await seen()).toEqual(file)
    tree.remove('acme/more/own')
    expect(await seen()).toEqual([[], ['missing-plugin-path skills:3']])
    tree.write({ 'acme/more/own/a/SKILL.md': 'a' })
    expect(await seen()).toEqual([['acme:a'], []])
    rmSync(`${tree.path}/acme/more/own`, { recursive: true })
    tree.write({ 'acme/more/own': 'x' })
    expect(await seen()).toEqual(file)
  })

  it('reads a marketplace again that changed', async () => {
    const tree = temporary({
      ...marketplace('m', [{ name: 'a', source: './a' }]),
      'm/a/skills/x/SKILL.md': 'x',
      'm/b/skills/y/SKILL.md': 'y',
    })
    const skills = engine(tree.path, { marketplaces: ['m'] })
    const catalog = await skills.catalog()
    const first = catalog.get('a:x')?.command
    expect(await skills.refresh()).toBe(catalog)
    tree.write(
      marketplace('m', [
        { name: 'b', source: './b' },
        { name: 'a', source: './a' },
      ]),
    )
    const both = await skills.refresh()
    expect(namesOf(both)).toEqual(['b:y', 'a:x'])
    // The plugin is unchanged, with another one beside it.
    expect([first?.name, both.get('a:x')?.command === first]).toEqual(['a:x', true])
    tree.write(marketplace('m', [{ name: 'b', source: './b' }]))
    expect(namesOf(await skills.refresh([`${tree.path}/m/.claude-plugin/marketplace.json`]))).toEqual(['b:y'])
  })

  it('finds a package that was installed meanwhile', async () => {
    const tree = temporary({ x: '' })
    const skills = engine(tree.path, { packages: [{ name: 'a', folder: '.' }] })
    expect(namesOf(await skills.catalog())).toEqual([])
    tree.write({
      'node_modules/a/package.json': '{ "name": "a", "skillsPath": "./s" }',
      'node_modules/a/s/x/SKILL.md': 'x',
    })
    expect(namesOf(await skills.refresh())).toEqual(['a:x'])
  })
})
