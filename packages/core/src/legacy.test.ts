import { describe, expect, test } from 'vitest'
import { engine, names, skill, source } from '../test/engine.js'
import { defineProvider, loadResult, type PromptCommand } from './index.js'

function legacy(name: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return skill(name, { loadedFrom: 'commands', isSkill: false, ...more })
}

describe('a legacy command', () => {
  test('loses its name to a skill of any source, and stays reachable', async () => {
    const { skills } = engine({
      plugins: [source('user', [legacy('deploy')]), source('project', [skill('deploy', { source: 'project' })])],
    })
    const catalog = await skills.catalog()
    expect(catalog.get('deploy')?.command.source).toBe('project')
    expect(catalog.get('user:deploy')?.command.loadedFrom).toBe('commands')
  })

  test('ranks among its like as its source does', async () => {
    const { skills } = engine({
      plugins: [
        source('a', [legacy('deploy', { source: 'project' })]),
        source('b', [legacy('deploy', { source: 'user' })]),
      ],
    })
    expect((await skills.catalog()).get('deploy')?.provider).toBe('b')
  })

  test('is told apart from a skill in what is said of a collision', async () => {
    const { skills } = engine({
      plugins: [
        source('a', [skill('x', { source: 'project' }), legacy('x', { source: 'user' })]),
        source('b', [legacy('y', { source: 'project' }), legacy('y', { source: 'user' })]),
      ],
    })
    expect((await skills.catalog()).collisions.map(({ reason }) => reason)).toEqual([
      'project comes before legacy (user).',
      'legacy (user) comes before legacy (project).',
    ])
  })

  test('ranks with its source where precedence does not name them', async () => {
    const plugins = [source('user', [legacy('deploy')]), source('project', [skill('deploy', { source: 'project' })])]
    const { skills } = engine({ plugins, precedence: ['user', 'project'] })
    expect((await skills.catalog()).get('deploy')?.provider).toBe('user')
  })

  test.each([
    ['a source', 'user:deploy', 'project:user:deploy'],
    ['a source that precedence does not name', 'team:deploy', 'project:team:deploy'],
    ['a plugin', 'acme:deploy', 'project:acme:deploy'],
    ['a plugin whose name has capitals', 'crm:deploy', 'project:crm:deploy'],
    ['a server', 'mcp__files__read', 'project:mcp__files__read'],
    ['a server in capitals', 'MCP__files__read', 'project:MCP__files__read'],
    ['another source in capitals', 'User:deploy', 'project:User:deploy'],
  ])('does not pass for one of %s', async (_, name, reserved) => {
    const plugin = source('plugins', [
      skill('acme:check', { source: 'plugin', pluginName: 'acme' }),
      skill('CRM:check', { source: 'plugin', pluginName: 'CRM' }),
      skill('check', { source: 'team' }),
    ])
    const { skills } = engine({ plugins: [source('project', [legacy(name, { source: 'project' })]), plugin] })
    const catalog = await skills.catalog()
    expect(catalog.lookup(name)).toBeUndefined()
    expect(catalog.get(reserved)).toMatchObject({ isQualified: true, command: { name } })
    expect((await skills.explain(reserved)).answers[0]?.chosenBy).toBe('Its plain name is reserved.')
  })

  test('may be called like a source, and begin with a word that is no one’s', async () => {
    const { skills } = engine({ plugins: [source('project', [legacy('user'), legacy('git:push')])] })
    expect(names((await skills.catalog()).entries)).toEqual(['user', 'git:push'])
  })

  test('does not pass for one of a plugin that is off', async () => {
    const off = defineProvider({
      kind: 'source',
      id: 'plugins',
      setup: () => ({ source: 'plugin', list: () => loadResult({ qualifiers: ['acme'] }) }),
    })
    const { skills } = engine({
      plugins: [
        off,
        source('project', [legacy('acme:deploy', { source: 'project' }), legacy('git:push', { source: 'project' })]),
      ],
    })
    expect(names((await skills.catalog()).entries)).toEqual(['project:acme:deploy', 'git:push'])
  })
})

test('nested skills and those with paths rank where the precedence names them', async () => {
  const all = [
    source('a', [
      skill('one', { source: 'project', paths: ['*.ts'] }),
      skill('two', { source: 'project', isScoped: true, qualifier: 'w', paths: ['*.ts'] }),
    ]),
    source('b', [legacy('one', { source: 'project' }), legacy('two', { source: 'project' })]),
  ]
  const winners = async (precedence?: readonly string[]) => {
    const { skills } = engine({ plugins: all, ...(precedence && { precedence }) })
    const catalog = await skills.catalog()
    return ['one', 'two'].map(name => catalog.get(name)?.provider)
  }
  expect(await winners()).toEqual(['a', 'a'])
  expect(await winners(['project', 'legacy', 'conditional'])).toEqual(['b', 'a'])
  expect(await winners(['project', 'legacy', 'conditional', 'nested'])).toEqual(['b', 'b'])
})
