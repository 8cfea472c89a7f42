import { rmSync } from 'node:fs'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createSkills, isAbortError, loadResult, promptCommand, type Catalog, type PromptCommand } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { searchSkills, skillSearch } from './index.js'

let tree: TempTree | undefined
afterEach(() => tree?.dispose())

const skill = (name: string, parts: Partial<PromptCommand> = {}): PromptCommand =>
  promptCommand({ name, source: 'user', description: `Does ${name}.`, load: () => ({ template: '' }), ...parts })

async function catalogOf(user: readonly PromptCommand[], project: readonly PromptCommand[] = []): Promise<Catalog> {
  const skills = createSkills({
    host: fakeHost(),
    onDiagnostic: () => {},
    precedence: ['user', 'project'],
    overrides: { 'deploy-off': 'off' },
    plugins: [
      { kind: 'source', id: 'user', setup: () => ({ source: 'user', list: () => loadResult({ commands: user }) }) },
      {
        kind: 'source',
        id: 'project',
        setup: () => ({ source: 'project', list: () => loadResult({ commands: project }) }),
      },
      {
        kind: 'gate',
        id: 'condition',
        setup: () => ({
          rules: () => ({
            dormant: ({ name }: { name: string }) => (name === 'deploy-later' ? 'It waits for *.css.' : undefined),
          }),
        }),
      },
    ],
  })
  onTestFinished(() => skills.close())
  return skills.catalog()
}

describe('a search of a catalog', () => {
  test('finds everything there is, each with its state and why', async () => {
    const catalog = await catalogOf(
      [
        skill('deploy'),
        skill('deploy-off'),
        skill('deploy-disabled', { isEnabled: () => false }),
        skill('deploy-later'),
        skill('deploy-mine', { disableModelInvocation: true }),
      ],
      [skill('deploy', { source: 'project' })],
    )
    const { found, unread } = await searchSkills(catalog, 'deploy')
    expect(unread).toEqual([])
    expect(found.map(({ name, state, reason }) => ({ name, state, reason }))).toEqual(
      expect.arrayContaining([
        { name: 'deploy', state: 'active', reason: undefined },
        { name: 'project:deploy', state: 'qualified', reason: 'user comes before project.' },
        { name: 'deploy-later', state: 'active', reason: 'It waits for *.css.' },
        { name: 'deploy-mine', state: 'active', reason: undefined },
        { name: 'deploy-off', state: 'disabled', reason: 'The configuration switches the skill off.' },
        {
          name: 'deploy-disabled',
          state: 'disabled',
          reason: 'The skill is not enabled: the skill itself or its source says so.',
        },
      ]),
    )
    expect(found).toHaveLength(6)
    expect(found[0]).toMatchObject({
      name: 'deploy',
      provider: 'user',
      reasons: [
        { field: 'name', words: ['deploy'] },
        { field: 'description', words: ['deploy'] },
      ],
    })
    expect((await searchSkills(catalog, 'nowhere')).found).toEqual([])
  })

  test('finds what lost its name and has no other to go by, and copies', async () => {
    const project = (description: string): string => `---\ndescription: ${description}\n---\nBody.\n`
    tree = tempTree({ 'a/deploy/SKILL.md': project('Ships.'), 'b/deploy/SKILL.md': project('Ships.') })
    const source = (id: string) =>
      fileSource({ id, source: id, roots: () => ({ roots: [{ path: `${tree?.path ?? ''}/${id}` }] }) })
    const skills = createSkills({ plugins: [source('a'), source('b')], onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    const { found } = await searchSkills(await skills.catalog(), 'ships')
    expect(found.map(({ state, path }) => [state, path])).toEqual([
      ['active', `${tree.path}/a/deploy/SKILL.md`],
      ['duplicate', `${tree.path}/b/deploy/SKILL.md`],
    ])
  })

  test('that is made once answers many times', async () => {
    const { search } = await skillSearch(await catalogOf([skill('one'), skill('two')]))
    expect([search('one').map(({ name }) => name), search('two').map(({ name }) => name)]).toEqual([['one'], ['two']])
  })

  test('ends with an abort', async () => {
    tree = tempTree({ 'skills/a/SKILL.md': '---\ndescription: x\n---\nx' })
    const source = fileSource({
      id: 'user',
      source: 'user',
      roots: () => ({ roots: [{ path: `${tree?.path ?? ''}/skills` }] }),
    })
    const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    await expect(
      searchSkills(await skills.catalog(), 'a', { body: true, signal: AbortSignal.abort() }),
    ).rejects.toSatisfy(isAbortError)
  })
})

describe('bodies', () => {
  test('are read only where that is asked for, and what cannot be read is told of', async () => {
    tree = tempTree({
      'skills/one/SKILL.md': '---\ndescription: First.\n---\nUse terraform for it.\n',
      'skills/two/SKILL.md': '---\ndescription: Second.\n---\nNothing.\n',
    })
    const source = fileSource({
      id: 'user',
      source: 'user',
      roots: () => ({ roots: [{ path: `${tree?.path ?? ''}/skills` }] }),
    })
    const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    const catalog = await skills.catalog()
    expect((await searchSkills(catalog, 'terraform')).found).toEqual([])
    expect((await searchSkills(catalog, 'terraform', { body: true })).found).toMatchObject([
      { name: 'one', reasons: [{ field: 'body', words: ['terraform'] }] },
    ])
    rmSync(`${tree.path}/skills/two`, { recursive: true })
    const { found, unread } = await searchSkills(catalog, 'terraform', { body: true })
    expect(found.map(({ name }) => name)).toEqual(['one'])
    expect(unread).toEqual([
      {
        name: 'two',
        path: `${tree.path}/skills/two/SKILL.md`,
        problem: expect.stringContaining('two/SKILL.md') as string,
      },
    ])
  })

  test('of what has no file are not asked for: a search makes no server do anything', async () => {
    let loads = 0
    const remote = skill('remote', {
      load: () => {
        loads++
        return { template: 'terraform' }
      },
    })
    expect((await searchSkills(await catalogOf([remote]), 'terraform', { body: true })).found).toEqual([])
    expect(loads).toBe(0)
  })
})
