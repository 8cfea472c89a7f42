import { createAnthropic } from '@ai-sdk/anthropic'
import { modelServer, toolsShown, type ModelAnswer, type Fault } from '@skills/testing/model-server'
import { jsonSchema, tool, type ToolSet } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { connect, serving, textOf } from '../../../packages/mcp-server/test/serving.js'
import { aiSdkRunner } from './index.js'

const call = { name: 'Skill', arguments: { skill: 'study', args: 'the plan' } }

/** Connects MCP clients to an engine with a skill that forks to a scripted model. */
async function servingForks(reply: (at: number) => ModelAnswer | Fault) {
  const model = await modelServer('anthropic', (_, at) => reply(at))
  onTestFinished(() => model.close())
  const tools: ToolSet = {
    Look: tool({
      description: 'Looks at a place.',
      inputSchema: jsonSchema<{ place: string }>({ type: 'object', properties: { place: { type: 'string' } } }),
      execute: ({ place }) => `There is nothing at ${place}.`,
    }),
  }
  const { server } = await serving(
    {
      'repo/.claude/skills/study/SKILL.md':
        '---\nname: study\ndescription: Studies.\ncontext: fork\n---\nStudy $ARGUMENTS.\n',
    },
    {
      rules: { allow: ['Skill'] },
      plugins: [
        aiSdkRunner({ model: createAnthropic({ apiKey: 'none', baseURL: model.url })('claude-sonnet-5-5'), tools }),
      ],
    },
  )
  return { model, server }
}

const looking = (at: number): ModelAnswer =>
  at === 0 ? { calls: [{ id: 'one', name: 'Look', input: { place: 'home' } }] } : { text: 'The plan is good.' }

test.each(['auto', 'legacy'] as const)('a client is given what a fork came to, with its progress (%s)', async mode => {
  const { model, server } = await servingForks(looking)
  const asked: string[] = []
  const client = await connect(server, { mode, answer: message => asked.push(message) > 0 })
  const told: unknown[] = []
  const result = await client.callTool(call, { onprogress: ({ message }) => told.push(message) })
  expect(textOf(result)).toContain('The plan is good.')
  expect(told).toContain('study: Look')
  expect(asked).toEqual([expect.stringContaining('Look')])
  expect(toolsShown(model.requests[0])).toContain('Look')
  expect(JSON.stringify(model.requests[0]?.body)).toContain('Study the plan.')
  expect(JSON.stringify(model.requests[1]?.body)).toContain('There is nothing at home.')
})

test.each(['auto', 'legacy'] as const)('a tool that the person denies is not used in a fork (%s)', async mode => {
  const { model, server } = await servingForks(looking)
  const client = await connect(server, { mode, answer: () => false })
  expect(textOf(await client.callTool(call))).toContain('The plan is good.')
  expect(JSON.stringify(model.requests[1]?.body)).not.toContain('There is nothing at home.')
})

test.each(['auto', 'legacy'] as const)('a call that is cancelled ends its fork at the model (%s)', async mode => {
  const cancel = new AbortController()
  const { model, server } = await servingForks(() => {
    cancel.abort()
    return { events: [], ending: 'silence' }
  })
  const client = await connect(server, { mode })
  await expect(client.callTool(call, { signal: cancel.signal })).rejects.toThrow('aborted')
  await model.hungUp()
  expect(model.requests).toHaveLength(1)
})
