import { describe, expect, test } from 'vitest'
import { createSkills, loadResult, type Catalog, type PromptCommand } from '@skills/core'
import { requirementTree } from './requirement-tree.js'

type Graph = Readonly<Record<string, readonly string[]>>

function skill(name: string, requires: readonly string[], rest: Partial<PromptCommand> = {}): PromptCommand {
  return {
    type: 'prompt',
    name,
    displayName: name,
    aliases: [],
    description: name,
    hasUserSpecifiedDescription: true,
    source: 'user',
    loadedFrom: 'skills',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    argumentNames: [],
    contentLength: 0,
    allowedTools: [],
    disallowedTools: [],
    context: 'inline',
    paths: [],
    shell: 'bash',
    requires,
    disableModelInvocation: false,
    isSkill: true,
    progressMessage: 'loading',
    metadata: {},
    load: () => ({ template: '' }),
    ...rest,
  }
}

async function catalogOf(commands: readonly PromptCommand[]): Promise<Catalog> {
  const source = {
    kind: 'source',
    id: 'test',
    setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
  } as const
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  try {
    return await skills.catalog()
  } finally {
    await skills.close()
  }
}

async function treeOf(graph: Graph, root: string, most?: number) {
  const catalog = await catalogOf(Object.entries(graph).map(([name, requires]) => skill(name, requires)))
  const { rows, more, cycles } = requirementTree(catalog, catalog.require(root), { most })
  const lines = rows.map(
    ({ wanted, depth, status, cycle }) =>
      `${'  '.repeat(depth - 1)}${wanted} ${status}${cycle === undefined ? '' : ` ${cycle.join()}`}`,
  )
  return { lines, rows, more, cycles: cycles.map(cycle => cycle.map(({ name }) => name)) }
}

describe('a tree of requirements', () => {
  test('has what a skill requires, and below each what that one does', async () => {
    const { lines, more, cycles } = await treeOf(
      { top: ['left', 'right'], left: ['base'], right: ['other'], base: [], other: [] },
      'top',
    )
    expect(lines).toEqual(['left met', '  base met', 'right met', '  other met'])
    expect({ more, cycles }).toEqual({ more: 0, cycles: [] })
  })

  test('follows each skill once', async () => {
    const { lines } = await treeOf(
      { top: ['left', 'right', 'base'], left: ['base'], right: ['base'], base: ['deep'], deep: [] },
      'top',
    )
    expect(lines).toEqual(['left met', '  base met', '    deep met', 'right met', '  base shown', 'base shown'])
  })

  test('says what is missing and what was meant', async () => {
    const { rows } = await treeOf({ a: ['deplyo', 'zzz'], deploy: [] }, 'a')
    expect(rows).toEqual([
      { wanted: 'deplyo', depth: 1, status: 'missing', hint: 'Did you mean deploy?' },
      { wanted: 'zzz', depth: 1, status: 'missing', hint: expect.stringContaining('requires') as string },
    ])
  })

  test('says when several skills answer to a name, and takes none of them', async () => {
    const catalog = await catalogOf([
      skill('a', ['ship']),
      skill('b', [], { aliases: ['ship'] }),
      skill('c', [], { aliases: ['ship'] }),
    ])
    expect(requirementTree(catalog, catalog.require('a')).rows).toEqual([
      { wanted: 'ship', depth: 1, status: 'ambiguous', hint: expect.stringContaining('"b" or "c"') },
    ])
  })

  test('finds a skill by its display name or an alias, as a person would', async () => {
    const catalog = await catalogOf([
      skill('a', ['Ship It', 'ship']),
      skill('deploy', [], { displayName: 'Ship It', aliases: ['ship'] }),
    ])
    expect(
      requirementTree(catalog, catalog.require('a')).rows.map(({ status, entry }) => [status, entry?.name]),
    ).toEqual([
      ['met', 'deploy'],
      ['shown', 'deploy'],
    ])
  })

  test('ends where it comes back to a skill it came through, and names that cycle', async () => {
    const { lines, cycles } = await treeOf({ entry: ['b'], b: ['c', 'leaf'], c: ['d'], d: ['b'], leaf: [] }, 'entry')
    expect(lines).toEqual(['b met', '  c met', '    d met', '      b cycle b,c,d', '  leaf met'])
    expect(cycles).toEqual([['b', 'c', 'd']])
    expect(await treeOf({ a: ['a'] }, 'a')).toMatchObject({ lines: ['a cycle a'], cycles: [['a']] })
  })

  test('knows nothing of cycles elsewhere', async () => {
    expect((await treeOf({ a: ['b'], b: [], x: ['y'], y: ['x'] }, 'a')).cycles).toEqual([])
  })

  test('that is too long is cut, counted, and searched for cycles all the same', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `s${at}`)
    const { lines, more, cycles } = await treeOf(
      Object.fromEntries(names.map((name, at) => [name, [`s${(at + 1) % names.length}`]])),
      's0',
    )
    expect([lines.length, more, cycles.length, cycles[0]?.length]).toEqual([1000, 19_000, 1, 20_000])
    expect(await treeOf({ a: ['b', 'c', 'd'], b: [], c: [], d: ['a'] }, 'a', 2)).toMatchObject({
      lines: ['b met', 'c met'],
      more: 2,
      cycles: [['a', 'd']],
    })
  })
})
