import { sourceContract, type Lack, type SampleSkill, type SourceFixture } from '@skills/testing'
import type { PromptCommand, Provider, Source } from '@skills/core'
import { testContract } from '@skills/testing/vitest'
import { expect } from 'vitest'
import { gate } from '../test/engine.js'
import { McpServer, refuse } from '../test/mcp-server.js'
import { mcpSource } from './index.js'

/** Abilities that a server on the loopback lacks. */
const without: Partial<Record<Lack, string>> = {
  deny: 'A server has no permissions for one of its prompts.',
  putEndless: 'A server answers for all that it lists at once.',
  pathOf: 'A server is the smallest thing that is asked again.',
}

/**
 * Rules for local sources only: the length of a server's text is unknown until it is read, and a request that was sent
 * before its caller was aborted may still arrive.
 */
const localOnly = ['content-length']

async function fixture(
  put: (server: McpServer, skill: SampleSkill) => void,
  remove: (server: McpServer, name: string) => void,
  lists: string,
  reads: string,
): Promise<SourceFixture> {
  const server = new McpServer()
  server.answers['prompts/get'] = ({ name }) => ({
    messages: [
      {
        role: 'user',
        content: { type: 'text', text: server.files.get(String(name)) ?? refuse(`There is no prompt ${String(name)}`) },
      },
    ],
  })
  const { url, close } = await server.listen()
  const count = { reads: 0, bytes: 0 }
  let answered = Promise.resolve()
  for (const [method, answer] of Object.entries(server.answers)) {
    if (method === 'initialize') continue
    server.answers[method] = async params => {
      count.reads++
      await answered
      const given = answer(params)
      if (method === reads) count.bytes += JSON.stringify(given).length
      return given
    }
  }
  return {
    provider: withoutOrigin(mcpSource({ servers: { s: { url } }, waitMs: Infinity, asks: false })),
    nameOf: name => `mcp__s__${name}`,
    store: {
      put: skills => {
        for (const skill of skills) put(server, skill)
      },
      remove: name => remove(server, name),
      putBroken: name => {
        if (lists === 'prompts/list') server.prompts.push({ name, arguments: 'none' })
        else server.skills.push({ uri: `skill://${name}/SKILL.md`, frontmatter: { name } })
        return {}
      },
      shut: () => {
        const { [lists]: answer } = server.answers
        server.answers[lists] = () => {
          throw new Error('The server is shut.')
        }
        return () => {
          if (answer !== undefined) server.answers[lists] = answer
        }
      },
      stall: () => {
        const { opened, open } = gate()
        answered = opened
        return () => {
          answered = Promise.resolve()
          open()
        }
      },
      countReads: () => Object.assign(count, { reads: 0, bytes: 0, stop() {} }),
    },
    dispose: close,
  }
}

/** Wraps the source so that bodies lack the statement of origin, which is checked to be there. */
function withoutOrigin(provider: Provider<'source'>): Provider<'source'> {
  const bare = (command: PromptCommand): PromptCommand => ({
    ...command,
    async load(args, call) {
      const body = await command.load(args, call)
      if (!('blocks' in body)) throw new Error('A template would be expanded.')
      expect(body.blocks[0]).toMatchObject({
        text: expect.stringMatching(/^From the MCP server "s", its (?:prompt|skill) "/),
      })
      return { blocks: body.blocks.slice(1) }
    },
  })
  return {
    ...provider,
    async setup(ctx) {
      const source = await provider.setup(ctx)
      const known = new Map<unknown, PromptCommand>()
      const kept = (command: PromptCommand): PromptCommand =>
        known.get(command) ?? (known.set(command, bare(command)), known.get(command) ?? command)
      const mapped = <T extends Awaited<ReturnType<Source['list']>> | undefined>(result: T): T =>
        result === undefined
          ? result
          : {
              ...result,
              commands: result.commands.map(command => (command.type === 'prompt' ? kept(command) : command)),
            }
      return {
        ...source,
        list: async call => mapped(await source.list(call)),
        refresh: async (paths, call) => mapped(await source.refresh?.(paths, call)),
      }
    },
  }
}

const prompts = sourceContract(
  () =>
    fixture(
      (server, { name, description, body }) => {
        server.removePrompt(name)
        server.prompts.push({ name, description })
        server.files.set(name, body)
      },
      (server, name) => {
        server.removePrompt(name)
        server.files.delete(name)
      },
      'prompts/list',
      'prompts/get',
    ),
  { without: { ...without, identity: 'A prompt has no digest.' } },
)

const skills = sourceContract(
  () =>
    fixture(
      (server, { name, description, body }) => server.putSkill(name, { name, description }, body),
      (server, name) => {
        server.removeSkill(name)
        server.files.delete(`skill://${name}/SKILL.md`)
      },
      'skills/list',
      'resources/read',
    ),
  { without },
)

testContract(
  'prompts of a server on the loopback',
  prompts.filter(({ name }) => !localOnly.includes(name)),
)
testContract(
  'skills of a server on the loopback',
  skills.filter(({ name }) => !localOnly.includes(name)),
)
