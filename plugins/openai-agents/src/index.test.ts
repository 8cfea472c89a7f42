import { Agent, OpenAIChatCompletionsModel, Runner, tool } from '@openai/agents'
import { SkillsError } from '@skills/core'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { openAiSkills, type OpenAiSkillsOptions } from './index.js'
import { adapterSuite, sessionOver, call, scripted } from '../../../packages/host/test/adapter-suite.js'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'
import type { ModelServer } from '@skills/testing/model-server'
import type { AgentSession } from '@skills/host/session'

const runner = new Runner({ tracingDisabled: true })

function agentWith({ url }: ModelServer, skills: AgentSession, options: OpenAiSkillsOptions = {}): Agent {
  const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 })
  return new Agent({
    name: 'Helper',
    model: new OpenAIChatCompletionsModel(client, 'small'),
    ...openAiSkills(skills, options),
  })
}

const ownTools = (use: (used: string) => unknown) =>
  ['Read', 'Write'].map(name =>
    tool({
      name,
      description: name,
      parameters: {
        type: 'object',
        properties: { file_path: { type: 'string' } },
        required: ['file_path'],
        additionalProperties: true,
      },
      strict: false,
      execute: input => use(`${name} ${(input as { readonly file_path: string }).file_path}`),
    }),
  )

adapterSuite('the OpenAI Agents SDK', async ({ server, session, system, use }) => {
  const own = { instructions: system, ...(use && { tools: ownTools(use) }) }
  const { finalOutput } = await runner.run(agentWith(server, session, own), 'Go.')
  session.endTurn()
  return finalOutput
})

test.each([
  [true, ['Write /a']],
  [false, []],
])('as approvals a question interrupts the run, and the answer %s counts', async (yes, expected) => {
  const used: string[] = []
  const server = await scripted(call('Write', { file_path: '/a' }))
  const skills = await sessionOver(engineOver({}))
  const agent = agentWith(server, skills, { tools: ownTools(what => void used.push(what)), approvals: true })
  const stopped = await runner.run(agent, 'Write it.')
  expect(used).toEqual([])
  const [interruption] = stopped.interruptions
  if (interruption === undefined) throw new Error('There is no question.')
  const { state } = stopped
  if (yes) state.approve(interruption)
  else state.reject(interruption)
  const { finalOutput } = await runner.run(agent, state)
  expect(finalOutput).toBe('Done.')
  expect(used).toEqual(expected)
})

test('input that is no JSON runs nothing', async () => {
  const used: string[] = []
  const [, , read] = openAiSkills(await sessionOver(engineOver({})), {
    tools: ownTools(what => void used.push(what)),
  }).tools
  const answer = await read?.invoke({} as never, '{', { toolCall: { callId: 'c' } as never })
  expect(String(answer)).toContain('Read')
  expect(used).toEqual([])
})

test('an option that there is not is refused', async () => {
  const session = await sessionOver(engineOver({}))
  expect(() => openAiSkills(session, { tool: {} } as never)).toThrow(SkillsError)
})
