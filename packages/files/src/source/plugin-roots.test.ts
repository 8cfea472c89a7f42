import { describe, expect, it } from 'vitest'
import { bodyOf, loaded, namesOf, shortly, start, sourceOver, temporary } from '../../test/load.js'
import type { SkillCommand, SkillPlugin } from '@skills/skill-md/internal'
import type { SkillRoot } from './layout.js'

const plugin: SkillPlugin = {
  name: 'acme',
  from: 'user',
  path: '/acme',
  version: '1.0.0',
  resolveVariable: name => (name === 'ROOT' ? '/acme' : undefined),
}

async function inPlugin(path: string, root: Partial<SkillRoot> = {}) {
  return start(sourceOver([{ path, plugin, ...root }]))
}

describe('a root of a plugin', () => {
  it('gives its skills names of the plugin and of the folders below it', async () => {
    const { path } = temporary({
      'deploy/SKILL.md': '---\nname: deploy\ndescription: Ships it.\n---\nShip.',
      'group/lint/SKILL.md': 'Lint.',
    })
    const { commands } = await (await inPlugin(path)).list()
    expect(commands).toMatchObject([
      {
        name: 'acme:deploy',
        displayName: 'deploy',
        pluginName: 'acme',
        loadedFrom: 'plugin',
        isSkill: true,
        progressMessage: 'loading',
        baseDir: `${path}/deploy`,
        plugin,
      },
      { name: 'acme:group:lint', displayName: 'acme:group:lint', description: 'Lint.' },
    ])
    expect(await bodyOf(commands[0])).toBe('Ship.')
    const skill = commands[0] as SkillCommand
    expect([skill.resolveVariable('ROOT'), skill.resolveVariable('OTHER')]).toEqual(['/acme', undefined])
    expect(skill.toJSON()).toMatchObject({ pluginName: 'acme' })
  })

  it('gives its commands such names too', async () => {
    const { path } = temporary({ 'git/push.md': 'Push.', 'ops/SKILL.md': 'Ops.' })
    const { commands } = await (await inPlugin(path, { layout: { holds: 'commands' } })).list()
    expect(commands).toMatchObject([
      {
        name: 'acme:git:push',
        loadedFrom: 'plugin',
        isSkill: false,
        progressMessage: 'running',
        pluginName: 'acme',
        baseDir: undefined,
      },
      { name: 'acme:ops', loadedFrom: 'plugin', isSkill: true },
    ])
  })

  it('tells of what does not load under the name that people ask for', async () => {
    const { path } = temporary({
      'group/bad/SKILL.md': '---\nuser-invocable: maybe\n---\n',
      'link/SKILL.md': { link: 'none' },
    })
    expect((await (await inPlugin(path)).list()).errors).toMatchObject([
      { code: 'dangling-link', name: 'acme:link' },
      { code: 'invalid-boolean', name: 'acme:group:bad' },
    ])
  })

  it('explains a name of the plugin by the folder that it would be', async () => {
    const { path } = temporary({ 'group/empty': { dir: true }, 'other/x/SKILL.md': 'x' })
    const { source, list } = await inPlugin(path)
    await list()
    const call = { signal: new AbortController().signal }
    const texts = async (name: string) =>
      ((await source.explain?.(name, undefined, call)) ?? []).map(({ text }) => text)
    expect(await texts('acme:group:empty')).toEqual([expect.stringContaining(`${path}/group/empty is empty;`)])
    for (const name of ['group:empty', 'acme:..:group', 'acme::empty', 'acme:group/empty', 'acme', 'acme:'])
      expect(await texts(name), name).toEqual([])
  })

  it('may share its folder with a root of another plugin', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'a' })
    const { list } = await start(
      sourceOver([
        { path, plugin },
        { path, plugin: { ...plugin, name: 'other' } },
        { path, plugin },
      ]),
    )
    expect(namesOf(await list())).toEqual(['acme:a', 'other:a'])
  })

  it('stays as it is while its plugin does, and is read anew with another one', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'a' })
    let root: SkillRoot = { path, plugin }
    const { list, refresh } = await start(sourceOver('', { roots: () => ({ roots: [root] }) }))
    await list()
    root = { path, plugin }
    expect(await refresh()).toBeUndefined()
    root = { path, plugin: { ...plugin, resolveVariable: () => undefined } }
    expect((await refresh())?.commands).toHaveLength(1)
  })
})

describe('a root that may be a skill', () => {
  it('goes by its own name, or by the one it is given', async () => {
    const { path } = temporary({ 'own/SKILL.md': 'own', 'file.md': 'file' })
    const { list } = await start(
      sourceOver([
        { path: `${path}/own`, mayBeSkill: true, plugin },
        { path: `${path}/own/SKILL.md`, mayBeSkill: true, plugin, name: 'given' },
        { path: `${path}/file.md`, mayBeSkill: true, plugin, layout: { holds: 'commands' } },
      ]),
    )
    expect(namesOf(await list())).toEqual(['acme:own', 'acme:given', 'acme:file'])
  })

  it('goes by the name of its folder without a plugin', async () => {
    const { path } = temporary({ 'own/SKILL.md': 'own' })
    const { list } = await start(sourceOver([{ path: `${path}/own`, mayBeSkill: true }]))
    expect((await list()).commands).toMatchObject([{ name: 'own', loadedFrom: 'skills', pluginName: undefined }])
  })
})

it('a caller that gives a root may change the fields of its files, and finds what is wrong with them at their lines', async () => {
  const adapt: SkillRoot['adapt'] = (fields, { name }) => {
    fields.description ??= 'Given.'
    return name === 'bad'
      ? [{ severity: 'error', code: 'own-rule', field: 'allowed-tools', message: 'No.', keyPath: ['allowed-tools'] }]
      : []
  }
  const { path } = await loaded({
    'bad/SKILL.md': '---\ndescription: x\nallowed-tools: Read\n---\n',
    'good/SKILL.md': 'Text.',
  })
  const result = await (await start(sourceOver([{ path, adapt }]))).list()
  expect(result.commands).toMatchObject([{ name: 'good', description: 'Given.', hasUserSpecifiedDescription: true }])
  expect(shortly(result.errors, path)).toEqual(['own-rule bad/SKILL.md:3:16'])
})

it('shows an adapter the fields of each file, which it may change', async () => {
  const opening = '---\nname: x\ndescription: Text.\n'
  const { path } = temporary({
    'a/SKILL.md': `${opening}allowed-tools: Bash(\${HERE}/run)\n---\n`,
    'b/SKILL.md': `${opening}allowed-tools: Read\n---\n`,
    'c/SKILL.md': `${opening}model: \${HERE}\n---\n`,
  })
  const shown: (readonly [string, unknown, unknown])[] = []
  const adapt: SkillRoot['adapt'] = (fields, { name }) => {
    shown.push([name, fields.allowedTools, fields.model])
    if (fields.allowedTools !== undefined)
      fields.allowedTools = fields.allowedTools.map(tool => tool.replace('${HERE}', 'here'))
    return []
  }
  const { commands } = await (await start(sourceOver([{ path, adapt }]))).list()
  expect(commands.map(command => command.type === 'prompt' && command.allowedTools)).toEqual([
    ['Bash(here/run)'],
    ['Read'],
    [],
  ])
  expect(shown).toEqual([
    ['a', ['Bash(${HERE}/run)'], undefined],
    ['b', ['Read'], undefined],
    ['c', undefined, '${HERE}'],
  ])
})
