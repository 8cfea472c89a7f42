import { afterEach, describe, expect, test } from 'vitest'
import { createSkills, loadResult, type Catalog, type PromptCommand } from '@skills/core'
import { tempTree, type TempTree } from '@skills/testing'
import { checkRequirements } from './requirements.js'

let tree: TempTree | undefined
afterEach(() => {
  tree?.dispose()
  tree = undefined
})

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

async function check(graph: Readonly<Record<string, readonly string[]>>) {
  const found = await checkRequirements(
    await catalogOf(Object.entries(graph).map(([name, requires]) => skill(name, requires))),
  )
  return found.map(({ severity, code, name, message, hint }) => ({ severity, code, name, message, hint }))
}

describe('requirements', () => {
  test('that are all there, even several ways, raise nothing', async () => {
    expect(await check({ top: ['left', 'right'], left: ['base'], right: ['base'], base: [] })).toEqual([])
  })

  test('that are missing are warnings with the closest names', async () => {
    expect(await check({ a: ['deplyo', 'zzz'], deploy: [] })).toEqual([
      {
        severity: 'warning',
        code: 'missing-requirement',
        name: 'a',
        message: 'The skill requires "deplyo", but no skill has that name.',
        hint: 'Did you mean deploy?',
      },
      {
        severity: 'warning',
        code: 'missing-requirement',
        name: 'a',
        message: expect.stringContaining('"zzz"') as string,
        hint: expect.not.stringContaining('Did you') as string,
      },
    ])
  })

  test('are met by a display name or an alias, as a person would call the skill', async () => {
    const catalog = await catalogOf([
      skill('a', ['Ship It', 'ship']),
      skill('deploy', [], { displayName: 'Ship It', aliases: ['ship'] }),
    ])
    expect(await checkRequirements(catalog)).toEqual([])
  })

  test('that several skills answer to are a warning that names them', async () => {
    const catalog = await catalogOf([
      skill('a', ['ship']),
      skill('b', [], { aliases: ['ship'] }),
      skill('c', [], { aliases: ['ship'] }),
    ])
    expect(await checkRequirements(catalog)).toMatchObject([
      {
        severity: 'warning',
        code: 'missing-requirement',
        message: expect.stringContaining('"ship"'),
        hint: expect.stringContaining('"b" or "c"'),
      },
    ])
  })

  test('of a skill for itself are an error', async () => {
    expect(await check({ a: ['a'] })).toMatchObject([
      { severity: 'error', code: 'requirement-cycle', name: 'a', message: '"a" requires itself.' },
    ])
  })

  test('that run in a cycle are one error each, naming the chain', async () => {
    const found = await check({ entry: ['b'], b: ['c', 'leaf'], c: ['d'], d: ['b'], leaf: [], x: ['y'], y: ['x'] })
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ['requirement-cycle', 'These skills require each other: b → c → d → b.'],
      ['requirement-cycle', 'These skills require each other: x → y → x.'],
    ])
  })

  test('are told with the line that names them', async () => {
    tree = tempTree({ 'a/SKILL.md': '---\ndescription: x\nrequires:\n  - a\n  - nowhere\n---\nx' })
    const catalog = await catalogOf([skill('a', ['a', 'nowhere'], { filePath: `${tree.path}/a/SKILL.md` })])
    expect(await checkRequirements(catalog)).toMatchObject([
      { code: 'missing-requirement', path: `${tree.path}/a/SKILL.md`, line: 5, column: 5, field: 'requires' },
      { code: 'requirement-cycle', path: `${tree.path}/a/SKILL.md`, line: 4, column: 5, field: 'requires' },
    ])
  })

  test('of a chain of 20,000 skills, and of one cycle of them, take no time to speak of', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `s${at}`)
    const chain = await catalogOf(names.map((name, at) => skill(name, at + 1 < names.length ? [`s${at + 1}`] : [])))
    const cycle = await catalogOf(names.map((name, at) => skill(name, [`s${(at + 1) % names.length}`])))
    const start = process.cpuUsage().user / 1000
    expect(await checkRequirements(chain)).toEqual([])
    expect(await checkRequirements(cycle)).toMatchObject([
      { message: expect.stringMatching(/^These skills require each other: s0 → s1 → .* → \(19990 more\) → s0\.$/) },
    ])
    expect(process.cpuUsage().user / 1000 - start).toBeLessThan(5000)
  })
})
