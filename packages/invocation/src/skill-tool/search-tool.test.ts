import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAbortError, SkillsError, type Gate } from '@skills/core'
import { enginePort, searchTool, skillTool, type EnginePort } from '../skill-tool.js'
import type { SearchToolOptions } from './search-tool.js'
import { allowed, engineOver, local, portOver, skill, type Loaded } from '../../test/engine.js'

const loaded: Loaded = {
  commands: [
    skill('deploy', { description: 'Ships a release.', whenToUse: 'When the user wants to go live.' }),
    skill('deploy-check', { description: 'Checks what would ship.' }),
    skill('deploy-secretly', { disableModelInvocation: true }),
    skill('deploy-mine'),
    skill('deploy-off'),
    skill('deploy-later'),
    skill('deploy-quiet', { description: 'Rolls out.' }),
    skill('deploy-bare', { hasUserSpecifiedDescription: false, description: '' }),
    skill('deploy-command', { isSkill: false }),
    skill('deploy-disabled', { isEnabled: () => false }),
    local('deploy-local'),
  ],
  overrides: { 'deploy-mine': 'user-only', 'deploy-off': 'off', 'deploy-quiet': 'name-only' },
  gate: {
    rules: () => ({
      dormant: ({ name }: { name: string }) => (name === 'deploy-later' ? 'It waits for *.css.' : undefined),
    }),
  } satisfies Gate,
}

async function shown(input: unknown, options: SearchToolOptions = {}, given: Loaded = loaded): Promise<string> {
  const tool = await searchTool(portOver(given), options)
  return tool.toToolResult({ outcome: await tool.call(input) }, 't1').content
}

describe('the search tool', () => {
  test('says what it is and takes', async () => {
    const tool = await searchTool(portOver(loaded))
    expect(tool).toMatchObject({
      name: 'SkillSearch',
      isConcurrencySafe: true,
      isReadOnly: true,
      description: expect.stringContaining('no room') as string,
    })
    expect(tool.inputSchema).toMatchObject({
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer', exclusiveMinimum: 0 } },
      required: ['query'],
    })
    expect(tool.outputSchema).toMatchObject({ properties: { total: { type: 'integer' }, results: { type: 'array' } } })
    expect(await searchTool(portOver(loaded), { name: 'find_skill', description: 'Finds.' })).toMatchObject({
      name: 'find_skill',
      description: 'Finds.',
    })
  })

  test('shows only what a listing would tell the model of, each on a line', async () => {
    expect(await shown({ query: 'deploy' })).toBe(
      '- deploy: Ships a release. - When the user wants to go live.\n- deploy-check: Checks what would ship.\n- deploy-quiet',
    )
  })

  test('shows what a distribution lists', async () => {
    expect(await shown({ query: 'deploy' }, { isListed: ({ name }) => name === 'deploy-bare' })).toBe('- deploy-bare')
    const tool = await searchTool(portOver(loaded, { isListed: ({ name }) => name === 'deploy-bare' }))
    expect((await tool.call({ query: 'deploy' })).data.results.map(({ name }) => name)).toEqual(['deploy-bare'])
  })

  test('shows only skills that a model may invoke, even when all are listed', async () => {
    const text = await shown({ query: 'deploy' }, { isListed: () => true })
    expect(text.split('\n').map(line => line.slice(2).split(':')[0])).toEqual([
      'deploy',
      'deploy-command',
      'deploy-check',
      'deploy-quiet',
      'deploy-bare',
    ])
  })

  test('gives data besides', async () => {
    const tool = await searchTool(portOver(loaded))
    expect(await tool.call({ query: 'go live' })).toEqual({
      data: {
        query: 'go live',
        total: 1,
        results: [{ name: 'deploy', description: 'Ships a release.', whenToUse: 'When the user wants to go live.' }],
      },
    })
    expect((await tool.call({ query: 'rolls' })).data.results).toEqual([{ name: 'deploy-quiet', description: '' }])
  })

  test('says how many more there are, and when there are none', async () => {
    const commands = Array.from({ length: 100 }, (_, at) => skill(`deploy-${at}`))
    expect((await shown({ query: 'deploy' }, {}, { commands })).split('\n')).toHaveLength(11)
    expect(await shown({ query: 'deploy', limit: 2 }, {}, { commands })).toMatch(
      /^- deploy-0: Does deploy-0\.\n- deploy-1: Does deploy-1\.\n\(98 more: .*\)$/,
    )
    expect((await shown({ query: 'deploy', limit: 1_000_000 }, {}, { commands })).split('\n')).toHaveLength(51)
    expect((await shown({ query: 'deploy' }, { limit: 3, most: 5 }, { commands })).split('\n')).toHaveLength(4)
    expect(await shown({ query: 'zzz\n</system-reminder>' })).toContain('"zzz &lt;/system-reminder>"')
  })

  test('cuts a long description, never within a character', async () => {
    const description = `find ${'👩‍👩‍👧'.repeat(100)}`
    expect(await shown({ query: 'find' }, { maxDescription: 30 }, { commands: [skill('a', { description })] })).toBe(
      '- a: find 👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…',
    )
    expect(await shown({ query: 'a' }, { maxDescription: 1 }, { commands: [skill('a', { description })] })).toBe('- a')
  })

  test.each<[unknown, string]>([
    [{ query: '' }, 'Invalid input: query is empty.'],
    [{ query: ' \n\u3000' }, 'Invalid input: query is empty.'],
    [{}, 'Invalid input: query must be text.'],
    [{ query: 3 }, 'Invalid input: query must be text.'],
    [undefined, 'Invalid input: the input must be an object.'],
    [{ query: 'a', limit: 0 }, 'Invalid input: limit must be above 0.'],
    [{ query: 'a', limit: -1 }, 'Invalid input: limit must be above 0.'],
    [{ query: 'a', limit: 1.5 }, 'Invalid input: limit must be a whole number.'],
    [{ query: 'a', limit: Number.NaN }, 'Invalid input: limit must be a whole number.'],
    [{ query: 'a', limit: '3' }, 'Invalid input: limit must be a whole number.'],
  ])('refuses %j', async (input, message) => {
    const tool = await searchTool(portOver(loaded))
    const refusal = await tool.validateInput(input)
    expect(refusal).toEqual({ result: false, message, errorCode: 1 })
    await expect(tool.call(input)).rejects.toSatisfy(
      error => SkillsError.is(error) && error.code === 'E_INVALID_OPTION' && error.message === message,
    )
    expect(refusal.result || tool.toToolResult({ refusal }, 't1')).toEqual({
      type: 'tool_result',
      tool_use_id: 't1',
      content: message,
      is_error: true,
    })
    expect(await tool.validateInput({ query: 'deploy', limit: 3 })).toEqual({ result: true })
  })

  test('shows an error as one that ends nothing', async () => {
    const tool = await searchTool(portOver(loaded))
    expect(tool.toToolResult({ error: new Error('No </system-reminder>') }, 't1')).toEqual({
      type: 'tool_result',
      tool_use_id: 't1',
      content: 'No &lt;/system-reminder>',
      is_error: true,
    })
  })

  test.each<SearchToolOptions>([{ limit: 0 }, { most: -1 }, { maxDescription: Number.NaN }, { limit: 1.5 }])(
    'refuses the option %j',
    async options => {
      await expect(searchTool(portOver(loaded), options)).rejects.toSatisfy(
        error => SkillsError.is(error) && error.code === 'E_INVALID_OPTION',
      )
    },
  )

  test('lets no skill make a line of another, or end what the result stands in', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        'a',
        '\n',
        '- ',
        '</system-reminder>',
        '\u2028',
        '\u202e',
        '\u{e0041}',
        '\u200d',
        '<command-name>',
        '(',
      ),
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ description: hostile, whenToUse: hostile, more: hostile }), {
          minLength: 1,
          maxLength: 6,
        }),
        async given => {
          const commands = given.map(({ description, whenToUse, more }, at) =>
            skill(`found-${at}${more}`, { description, whenToUse }),
          )
          // Allowed, since denied skills are not found.
          const text = await shown(
            { query: 'found' },
            {},
            { commands, overrides: Object.fromEntries(commands.map(({ name }) => [name, 'on'])) },
          )
          expect(text.split('\n').every(line => /^- "?found-/.test(line))).toBe(true)
          expect(text.split('\n')).toHaveLength(new Set(commands.map(({ name }) => name)).size)
          expect(text).not.toMatch(/[\u202e\u2028\u{e0041}]|<\/?(system-reminder|command-name)/u)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('what is denied', () => {
  const commands = ['one', 'two', 'three', 'four'].map(name => skill(`deploy-${name}`))
  const denying = (...names: readonly string[]): Partial<EnginePort> => ({
    permission: async ({ content }) =>
      names.includes(content) ? { ...allowed, behavior: 'deny' } : { ...allowed, behavior: 'ask' },
  })

  test('is not shown and not counted, and what a person would be asked about is', async () => {
    const tool = await searchTool(portOver({ commands }, denying('deploy-one', 'deploy-three')))
    const outcome = await tool.call({ query: 'deploy' })
    expect(outcome.data).toMatchObject({ total: 2, results: [{ name: 'deploy-two' }, { name: 'deploy-four' }] })
    expect(tool.toToolResult({ outcome }, 't1').content).toBe(
      '- deploy-two: Does deploy-two.\n- deploy-four: Does deploy-four.',
    )
    const nothing = await (await searchTool(portOver({ commands }, denying('deploy-one')))).call({ query: 'one' })
    expect(nothing.data).toEqual({ query: 'one', total: 0, results: [] })
  })

  test('leaves room for others', async () => {
    const tool = await searchTool(portOver({ commands }, denying('deploy-one', 'deploy-two')), { limit: 1 })
    const outcome = await tool.call({ query: 'deploy' })
    expect(outcome.data).toMatchObject({ total: 2, results: [{ name: 'deploy-three' }] })
    expect(tool.toToolResult({ outcome }, 't1').content).toContain('(1 more: ')
  })

  test('is asked about as the tool for skills does, and only as far as anything is shown', async () => {
    const port = portOver({ commands: Array.from({ length: 1_000 }, (_, at) => skill(`deploy-${at}`)) })
    const tool = await searchTool(port, { limit: 2 })
    expect((await tool.call({ query: 'deploy' })).data.total).toBe(1_000)
    expect(port.questions).toEqual(
      ['deploy-0', 'deploy-1'].map(name => ({
        tool: 'Skill',
        content: name,
        entry: expect.objectContaining({ name }) as unknown,
        args: '',
        caller: 'model',
      })),
    )
  })

  test('is asked about at each call, since rules may change', async () => {
    const denied: string[] = []
    const tool = await searchTool(
      portOver(
        { commands },
        { permission: async ({ content }) => ({ ...allowed, behavior: denied.includes(content) ? 'deny' : 'allow' }) },
      ),
    )
    const total = async () => (await tool.call({ query: 'deploy' })).data.total
    expect(await total()).toBe(4)
    denied.push('deploy-two')
    expect(await total()).toBe(3)
  })

  test('is everything where no one decides, and the host hears of it', async () => {
    const tool = await searchTool(enginePort(engineOver({ commands })))
    await expect(tool.call({ query: 'deploy' })).rejects.toSatisfy(
      error => SkillsError.is(error) && error.code === 'E_NO_PERMISSION',
    )
  })

  test('ends with an abort while it is asked about', async () => {
    const controller = new AbortController()
    const tool = await searchTool(
      portOver(
        { commands },
        {
          permission: async (_question, { signal } = {}) => {
            controller.abort()
            signal?.throwIfAborted()
            return allowed
          },
        },
      ),
    )
    await expect(tool.call({ query: 'deploy' }, { signal: controller.signal })).rejects.toSatisfy(isAbortError)
  })
})

test('each skill found can be invoked by its name in the result', async () => {
  const port = portOver({
    commands: [
      skill('deploy', { displayName: 'Ship it', aliases: ['go-live'] }),
      skill('project:deploy'),
      skill('Déploiement'),
    ],
  })
  const [search, tool] = [await searchTool(port), await skillTool(port)]
  const {
    data: { results },
  } = await search.call({ query: 'deploy deploiement' })
  expect(results).toHaveLength(3)
  for (const { name } of results) expect(await tool.validateInput({ skill: name })).toEqual({ result: true })
  for (const { name } of results) await tool.call({ skill: name })
  expect(port.requests.map(({ name }) => name)).toEqual(results.map(({ name }) => name))
})

describe('the catalog', () => {
  test('is made searchable once, and anew when it is another', async () => {
    const commands = [skill('one')]
    const skills = engineOver({ commands })
    const asked: EnginePort['catalog'] = options => skills.catalog(options)
    let reads = 0
    commands[0] = Object.defineProperty(skill('one'), 'whenToUse', {
      get() {
        reads++
        return ''
      },
    })
    skills.invalidate()
    // A load reads each field.
    await skills.catalog()
    reads = 0
    const tool = await searchTool({ catalog: asked, permission: async () => allowed })
    await Promise.all([tool.call({ query: 'xyz' }), tool.call({ query: 'xyz' })])
    await tool.call({ query: 'xyz' })
    expect(reads).toBe(1)
    commands.push(skill('two'))
    skills.invalidate()
    expect((await tool.call({ query: 'two' })).data.results.map(({ name }) => name)).toEqual(['two'])
  })

  test('has a skill that switches itself on again, and not one that switched itself off', async () => {
    let isOn = true
    const port = portOver({ commands: [skill('moody', { isEnabled: () => isOn })] })
    const tool = await searchTool(port)
    const total = async () => (await tool.call({ query: 'moody' })).data.total
    await port.catalog()
    isOn = false
    expect(await total()).toBe(0)
    isOn = true
    expect(await total()).toBe(1)
    isOn = false
    expect(await total()).toBe(0)
  })

  test('that one call gave up is still there for another', async () => {
    const controller = new AbortController()
    const skills = engineOver(loaded)
    const tool = await searchTool({
      permission: async () => allowed,
      catalog: async () => {
        const catalog = await skills.catalog()
        controller.abort()
        return catalog
      },
    })
    await expect(tool.call({ query: 'deploy' }, { signal: controller.signal })).rejects.toSatisfy(isAbortError)
    expect((await tool.call({ query: 'deploy' })).data.total).toBe(3)
  })
})
