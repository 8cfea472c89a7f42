import { describe, expect, onTestFinished, test } from 'vitest'
import { createSkills, promptCommand, type Plugin, type PromptCommand, type Source } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { largeSource, numberedName, numberedNames } from '@skills/testing/internal'
import { invocationKinds, Invoker, type Executor, type InvokerOptions } from './index.js'
import { enginePort, formatterKind, searchTool, skillTool } from './skill-tool.js'
import { namesFormatter, skill } from '../test/engine.js'
import type { Permission } from '@skills/rules'

const many = numberedNames(100_000)
const one = numberedName(70_000)
const make = (name: string): PromptCommand =>
  promptCommand({ name, source: 'large', description: `Ships ${name}.`, load: () => ({ template: `Do ${name}.` }) })

interface Setting {
  readonly listed?: readonly PromptCommand[]
  readonly members?: Partial<Source>
  readonly pinned?: readonly string[]
  readonly denies?: readonly string[]
  readonly options?: InvokerOptions
}

function setUp({ listed = [skill('own')], members, pinned = [], denies = [], options }: Setting = {}) {
  const calls: string[] = []
  const ran: string[] = []
  const permission: Permission = {
    check: ({ content }) => ({
      behavior: denies.includes(content) ? 'deny' : 'allow',
      message: '',
      decisionReason: { type: 'rule', rule: 'Skill' },
    }),
  }
  const executor: Executor = {
    execute({ entry: { name } }) {
      ran.push(name)
      return { data: { success: true, commandName: name, status: 'inline' }, newMessages: [] }
    },
  }
  const plugins: Plugin[] = [
    largeSource({
      names: many,
      make,
      pinned,
      ...(members && { members }),
      onCall: (member, what) => calls.push(`${member} ${what}`),
    }),
    {
      kind: 'source',
      id: 'user',
      setup: () => ({ source: 'user', list: () => ({ ...emptyLoad, commands: listed }) as never }),
    },
    { kind: 'permission', id: 'rules', setup: () => permission },
    { kind: 'executor', id: 'inline', setup: () => executor },
    { kind: 'formatter', id: 'names', setup: () => namesFormatter() },
  ]
  const skills = createSkills({
    host: fakeHost(),
    kinds: [...invocationKinds, formatterKind],
    onDiagnostic: () => {},
    plugins,
  })
  onTestFinished(() => skills.close())
  const invoker = new Invoker(skills, options)
  return { skills, invoker, port: enginePort(skills, { invoker }), calls, ran }
}

const emptyLoad = { errors: [], warnings: [], disabledPaths: [], places: [], qualifiers: [] }
const unreachable: Partial<Source> = {
  find: () => Promise.reject(new Error('The server does not answer.')),
  search: () => Promise.reject(new Error('The server does not answer.')),
}

describe('the Skill tool', () => {
  test('runs a skill that no list has, and the listing stays as it is', async () => {
    const { port, ran, calls } = setUp()
    const before = await port.listing({})
    const tool = await skillTool(port)
    expect(await tool.validateInput({ skill: one })).toEqual({ result: true })
    expect((await tool.call({ skill: one })).data).toMatchObject({ commandName: one, success: true })
    expect([ran, calls]).toEqual([[one], ['list undefined', `find ${one}`]])
    expect(await port.listing({})).toBe(before)
    expect(before.text).not.toContain(one)
  })

  test('lists what is pinned', async () => {
    const { port } = setUp({ pinned: [one] })
    expect((await port.listing({})).text).toContain(one)
  })

  test('says that a name is unknown, or that it could not be asked for', async () => {
    const unknown = await (await skillTool(setUp().port)).validateInput({ skill: 'x' })
    expect(unknown).toMatchObject({ errorCode: 2, message: 'Unknown skill: x' })
    const { port } = setUp({ members: unreachable })
    const message =
      'Unknown skill: x. Not every skill was found: The source provider "large" failed: The server does not answer.'
    expect(await (await skillTool(port)).validateInput({ skill: 'x' })).toMatchObject({ errorCode: 2, message })
    const own = await skillTool(port, { texts: { unknown: name => `No ${name}.` } })
    expect(await own.validateInput({ skill: 'x' })).toMatchObject({
      message: 'No x. Not every skill was found: The source provider "large" failed: The server does not answer.',
    })
  })

  test('asks the rules about it', async () => {
    const { port } = setUp({ denies: [one] })
    expect(await (await skillTool(port)).checkPermissions({ skill: one })).toMatchObject({ behavior: 'deny' })
  })
})

describe('a typed line', () => {
  test('runs a skill that no list has', async () => {
    const { invoker, ran } = setUp()
    expect(await invoker.run(`/${one} now`)).toHaveLength(1)
    expect(ran).toEqual([one])
  })

  test('asks for the first name only, since others may be arguments', async () => {
    const { invoker, calls, ran } = setUp()
    await invoker.run(`/${one} /home/person/secret.txt`)
    expect([calls, ran]).toEqual([['list undefined', `find ${one}`], [one]])
  })

  test('is text for a distribution that leaves paths, and no source hears of the path', async () => {
    const { invoker, calls } = setUp({ options: { slash: { leavesPaths: true } } })
    expect(await invoker.run('/home/person/secret.txt is empty')).toBeUndefined()
    expect(calls).toEqual(['list undefined'])
  })

  test('of an unknown name fails, and says if a source could not be asked', async () => {
    await expect(setUp().invoker.run('/x')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
    await expect(setUp({ members: unreachable }).invoker.run('/x')).rejects.toThrow('"large" is incomplete')
  })

  test('is no command of a distribution that takes unknown names as text', async () => {
    const { invoker, ran } = setUp({ options: { unknownSlash: 'chat' } })
    expect(await invoker.run('/x')).toBeUndefined()
    expect(await invoker.run(`/${one}`)).toHaveLength(1)
    expect(ran).toEqual([one])
  })
})

describe('SkillSearch', () => {
  const listed = [skill('ship', { description: 'Ships a release.' }), skill('skill-own', { description: 'Ships.' })]

  test('joins what is listed with what a large source finds, and says how many there are', async () => {
    const { port } = setUp({ listed })
    const tool = await searchTool(port)
    const { data } = await tool.call({ query: 'ships skill-0700', limit: 3 })
    expect(data.results.map(({ name }) => name).toSorted()).toEqual(['ship', one, 'skill-own'].toSorted())
    expect(data.inLargeSources).toBe(100_000)
    expect(tool.toToolResult({ outcome: { data } }, 't').content).toContain('The best of 100000 skills and more')
  })

  test('shows a pinned skill once', async () => {
    const { port } = setUp({ listed: [], pinned: [one] })
    const { data } = await (await searchTool(port)).call({ query: one })
    expect(data.results.map(({ name }) => name)).toEqual([one])
  })

  test('leaves out what a rule denies', async () => {
    const { port } = setUp({ listed: [], denies: [one] })
    expect((await (await searchTool(port)).call({ query: one })).data.results).toEqual([])
  })

  test('says that a source could not be searched, and shows the others', async () => {
    const { port } = setUp({ listed, members: unreachable })
    const tool = await searchTool(port)
    const { data } = await tool.call({ query: 'ships' })
    expect(data.results.map(({ name }) => name).toSorted()).toEqual(['ship', 'skill-own'])
    expect(tool.toToolResult({ outcome: { data } }, 't').content).toContain(
      '(Not every skill was searched: The source provider "large" failed: The server does not answer.)',
    )
  })

  test('does not make the index of the listed skills again when a skill was found', async () => {
    let reads = 0
    const counted = new Proxy(skill('ship'), {
      get: (target, key) => (key === 'description' && reads++, Reflect.get(target, key) as unknown),
    })
    const { port, skills } = setUp({ listed: [counted] })
    const tool = await searchTool(port)
    await tool.call({ query: 'nothing here' })
    await skills.catalog({ names: [one] })
    const before = reads
    await tool.call({ query: 'nothing here' })
    expect(reads).toBe(before)
  })
})
