import { describe, expect, test } from 'vitest'
import { engine, names, skill, source } from '../test/engine.js'
import type { PromptCommand } from './index.js'

function legacy(name: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return skill(name, { loadedFrom: 'commands', isSkill: false, ...more })
}

describe('a legacy command', () => {
  test('loses its name to a skill of any source, and stays reachable', async () => {
    const { skills } = engine({ plugins: [source('user', [legacy('deploy')]), source('project', [skill('deploy', { source: 'project' })])] })
    const catalog = await skills.catalog()
    expect(catalog.get('deploy')?.command.source).toBe('project')
    expect(catalog.get('user:deploy')?.command.loadedFrom).toBe('commands')
  })

  test('ranks among its like as its source does', async () => {
    const { skills } = engine({ plugins: [source('a', [legacy('deploy', { source: 'project' })]), source('b', [legacy('deploy', { source: 'user' })])] })
    expect((await skills.catalog()).get('deploy')?.provider).toBe('b')
  })

  test('ranks with its source where precedence does not name them', async () => {
    const plugins = [source('user', [legacy('deploy')]), source('project', [skill('deploy', { source: 'project' })])]
    const { skills } = engine({ plugins, precedence: ['user', 'project'] })
    expect((await skills.catalog()).get('deploy')?.provider).toBe('user')
  })

  test.each([
    ['a source', 'user:deploy', 'project:user:deploy'],
    ['a plugin', 'acme:deploy', 'project:acme:deploy'],
    ['a server', 'mcp__files__read', 'project:mcp__files__read'],
  ])('does not pass for one of %s', async (_, name, reserved) => {
    const plugin = source('plugins', [skill('acme:check', { source: 'plugin', pluginName: 'acme' })])
    const { skills } = engine({ plugins: [source('project', [legacy(name, { source: 'project' })]), plugin] })
    const catalog = await skills.catalog()
    expect(catalog.lookup(name)).toBeUndefined()
    expect(catalog.get(reserved)).toMatchObject({ isQualified: true, command: { name } })
  })

  test('may be called like a source, and begin with a word that is nobody’s', async () => {
    const { skills } = engine({ plugins: [source('project', [legacy('user'), legacy('git:push')])] })
    expect(names((await skills.catalog()).entries)).toEqual(['user', 'git:push'])
  })

  test('leaves skills their names, whatever these begin with', async () => {
    const { skills } = engine({ plugins: [source('project', [skill('user:deploy')])] })
    expect((await skills.catalog()).get('user:deploy')?.isQualified).toBe(false)
  })
})
