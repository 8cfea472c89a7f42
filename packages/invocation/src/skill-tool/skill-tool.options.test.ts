import { describe, expect, test } from 'vitest'
import { Listings, searchTool, skillTool, type SkillToolOptions } from '../skill-tool.js'
import { engineOver, local, namesFormatter, portOver, skill } from '../../test/engine.js'
import type { Message, Outcome } from '@skills/invocation'

const commands = [skill('deploy', { baseDir: '/d' }), local('help')]
const messages: readonly Message[] = [
  { type: 'user', content: '<command-message>x</command-message>' },
  { type: 'user', isMeta: true, content: [{ type: 'text', text: 'Ship it.' }] },
  { type: 'attachment', content: '', attachment: { type: 'command_permissions' } },
]
const outcome: Outcome = { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: messages }

async function toolWith(options: SkillToolOptions) {
  return skillTool(portOver({ commands }, { outcome }), options)
}

test('an engine without a port is refused at once, and the message says what to pass', async () => {
  const skills = engineOver({ commands })
  const hint = 'Pass enginePort(skills), or enginePort(skills, { invoker }).'
  // @ts-expect-error -- it cannot invoke anything
  await expect(skillTool(skills)).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
    message: `skillTool() was given an object without listing(). ${hint}`,
  })
  // @ts-expect-error -- it knows no permission
  await expect(searchTool(skills)).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
    message: expect.stringMatching(/^searchTool\(\) .* permission\(\)/),
  })
  await expect(skillTool(JSON.parse('null'))).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
})

describe("a distribution's tool", () => {
  test('says refusals in its own words', async () => {
    const tool = await toolWith({
      texts: {
        unknown: (name, available) => `No ${name}, but ${available.join()}`,
        notPrompt: (name, type) => `${name} is ${type}`,
      },
    })
    expect(await tool.validateInput({ skill: 'x' })).toEqual({
      result: false,
      errorCode: 2,
      message: 'No x, but deploy',
    })
    expect(await tool.validateInput({ skill: 'help' })).toEqual({
      result: false,
      errorCode: 5,
      message: 'help is local',
    })
  })

  test('has the text of a skill in its result, with what the host is to have besides', async () => {
    const tool = await toolWith({
      textIn: ({ entry, text }) => `${entry.name}: ${text}`,
      resultDetails: (_outcome, given) => ({ title: given?.entry.name }),
    })
    const ended = await tool.call({ skill: 'deploy' })
    expect(ended.newMessages.map(({ type }) => type)).toEqual(['attachment'])
    expect(tool.toToolResult({ outcome: ended }, 't')).toEqual({
      type: 'tool_result',
      tool_use_id: 't',
      content: 'deploy: Ship it.',
      details: { title: 'deploy' },
    })
  })

  test('has the text of a skill in its result without any further option', async () => {
    const tool = await toolWith({ textIn: 'result' })
    const ended = await tool.call({ skill: 'deploy' })
    expect(tool.toToolResult({ outcome: ended }, 't').content).toBe('Ship it.')
    // The messages of an outcome that it did not make still have the text.
    expect(tool.toToolResult({ outcome }, 't').content).toBe('Launching skill: deploy')
  })

  test('leaves the listing to the system prompt, and begins with it where it has no description', async () => {
    expect(await (await toolWith({ listingIn: 'system' })).describe()).not.toContain('- deploy')
    const port = {
      ...portOver({ commands }),
      listing: () =>
        Promise.resolve({ text: 'LIST', entries: [], omitted: [], truncated: [], budgetChars: 1, usedChars: 1 }),
    }
    expect(await (await skillTool(port, { description: '', listingIn: 'description' })).describe()).toBe('LIST')
  })

  test('asks in a shape of its own besides', async () => {
    const port = {
      ...portOver({ commands }),
      permission: () =>
        Promise.resolve({
          behavior: 'ask' as const,
          message: 'Execute skill: deploy',
          decisionReason: { type: 'default' as const },
        }),
    }
    expect(
      await (
        await skillTool(port, { asks: ({ name }) => ({ patterns: [name] }) })
      ).checkPermissions({ skill: 'deploy' }),
    ).toMatchObject({ behavior: 'ask', request: { patterns: ['deploy'] } })
  })

  test('hands a remote skill over itself, and allows it where nothing is decided', async () => {
    const [entry] = (await engineOver({ commands }).catalog()).entries
    const plain = portOver({ commands }, { outcome })
    const port = {
      ...plain,
      remote: () => entry,
      permission: () =>
        Promise.resolve({
          behavior: 'ask' as const,
          message: 'Execute skill: deploy',
          decisionReason: { type: 'default' as const },
        }),
    }
    const tool = await skillTool(port)
    expect(await tool.checkPermissions({ skill: '_canonical_x' })).toMatchObject({ behavior: 'allow' })
    expect(await tool.checkPermissions({ skill: 'deploy' })).toMatchObject({ behavior: 'ask' })
    await tool.call({ skill: '_canonical_x' })
    expect(plain.requests).toMatchObject([{ name: 'deploy', remote: { name: 'deploy' } }])
  })
})

test('what is denied is left out of the listing of an agent that is named, and no one asks otherwise', async () => {
  const asked: string[] = []
  const listings = new Listings(engineOver({ commands: [skill('a'), skill('b')], formatter: namesFormatter() }), {
    isDenied: ({ name }) => {
      asked.push(name)
      return name === 'a'
    },
  })
  const names = async (agentId?: string) =>
    (await listings.listing(agentId === undefined ? {} : { agentId })).entries.map(({ name }) => name)
  expect([await names(), asked.length, await names('helper'), asked]).toEqual([['a', 'b'], 0, ['b'], ['a', 'b']])
})
