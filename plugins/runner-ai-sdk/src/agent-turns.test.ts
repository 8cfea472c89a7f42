import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { tool, type ModelMessage } from 'ai'
import { z } from 'zod'
import { call, callsTools, end, says, scriptedModel, start, text } from '../test/scripted-model.js'
import { running } from '../test/running.js'
import { SaidBesides } from './said-besides.js'

const tools = { Read: tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => `text of ${path}` }) }
const goOn = [{ type: 'text', text: 'Go on.' }] as const

it('goes on in the same conversation with what it is told, and counts answers and tokens together', async () => {
  const model = scriptedModel([
    callsTools(call('Read', { path: 'a' })),
    [start, ...text('One.'), end('stop', { input: 5, output: 1 })],
    callsTools(call('Read', { path: 'b' })),
    says('Two.'),
  ])
  const asked: string[] = []
  const { result, progress } = running(
    { model, tools },
    { onStop: async answer => (asked.push(answer) === 1 ? goOn : undefined) },
  )
  expect(await result).toEqual({ text: 'Two.', usage: { inputTokens: 35, outputTokens: 10, steps: 4, ms: 0 } })
  expect(asked).toEqual(['One.', 'Two.'])
  expect(progress.filter(({ type }) => type === 'step')).toEqual([1, 2, 3, 4].map(steps => ({ type: 'step', steps })))
  expect(model.sent[3]?.prompt.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
    'tool',
  ])
  expect(model.sent[3]?.prompt[4]).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] })
})

it('goes on after an answer without a word, which providers refuse to be told of', async () => {
  const model = scriptedModel([[start, end()], says('Two.')])
  let times = 0
  const { result } = running({ model }, { onStop: async () => (times++ === 0 ? goOn : undefined) })
  expect((await result).text).toBe('Two.')
  expect(model.sent[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'user'])
})

it('asks no question after the last answer that it may give, nor after one that calls tools', async () => {
  const asked: string[] = []
  const onStop = async (answer: string): Promise<typeof goOn> => {
    asked.push(answer)
    return goOn
  }
  const { result } = running({ model: scriptedModel([says('One.'), says('Two.')]) }, { maxSteps: 2, onStop })
  expect((await result).text).toBe('Two.')
  await running(
    { model: scriptedModel([callsTools(call('Read', { path: 'a' })), callsTools(call('Read', { path: 'b' }))]), tools },
    { maxSteps: 2, onStop },
  ).result
  expect(asked).toEqual(['One.'])
})

it('stops where no one can say whether it may, and reports that', async () => {
  const { result, diagnostics } = running(
    { model: scriptedModel([says('One.')]) },
    { onStop: () => Promise.reject(new Error('The hooks are gone.')) },
  )
  expect((await result).text).toBe('One.')
  expect(diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'stop-unasked',
      message: 'The agent agent-1 stopped, because the hook that may make it continue failed: The hooks are gone.',
    },
  ])
})

it('says besides the results of tools what it was told to, at the same place in each later answer', async () => {
  const model = scriptedModel([
    callsTools(call('Read', { path: 'a' }, '1'), call('Read', { path: 'b' }, '2')),
    callsTools(call('Read', { path: 'c' }, '3')),
    says('One.'),
    says('Two.'),
  ])
  let times = 0
  const { result } = running(
    { model, tools },
    {
      used: async ({ content }) => (content === 'b' ? undefined : `About ${content}.`),
      onStop: async () => (times++ === 0 ? goOn : undefined),
    },
  )
  await result
  const told = (at: number): unknown =>
    model.sent[at]?.prompt.map(({ role, content }) =>
      role === 'user' ? content.map(part => (part.type === 'text' ? part.text : '')).join() : role,
    )
  expect(told(1)).toEqual(['Do it.', 'assistant', 'tool', 'About a.'])
  expect(told(3)).toEqual([
    'Do it.',
    'assistant',
    'tool',
    'About a.',
    'assistant',
    'tool',
    'About c.',
    'assistant',
    'Go on.',
  ])
})

it('says besides a tool that failed what it was told to', async () => {
  const failing = {
    Read: tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw new Error('No file.')
      },
    }),
  }
  const model = scriptedModel([callsTools(call('Read', {})), says('One.')])
  await running({ model, tools: failing }, { used: async () => 'Look elsewhere.' }).result
  expect(model.sent[1]?.prompt.at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'text', text: 'Look elsewhere.' }],
  })
})

test('what is said besides keeps its place, however the conversation grows', () => {
  const steps = fc.array(
    fc.record({ grows: fc.nat(3), says: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }) }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(steps, all => {
      const besides = new SaidBesides()
      const own: ModelMessage[] = []
      const expected: ModelMessage[] = []
      for (const [at, step] of all.entries()) {
        const more = Array.from({ length: step.grows }, (_, index): ModelMessage => ({
          role: 'assistant',
          content: `${at}.${index}`,
        }))
        own.push(...more)
        expected.push(...more)
        for (const one of step.says) besides.say(one)
        if (step.says.length > 0) expected.push({ role: 'user', content: step.says.join('\n') })
        expect(besides.within(own)).toEqual(expected)
      }
    }),
  )
})
