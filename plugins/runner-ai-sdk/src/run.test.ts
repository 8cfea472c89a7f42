import { expect, it } from 'vitest'
import { jsonSchema, tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { call, callsTools, end, says, scriptedModel, start, streamOf, text, type Part } from '../test/scripted-model.js'
import { gate } from '../test/gate.js'
import { running } from '../test/running.js'

const hostTools = (): ToolSet => ({
  Read: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ file_path: z.string() }),
    execute: ({ file_path }) => `text of ${file_path}`,
  }),
  Bash: tool({
    description: 'Runs a command.',
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => `ran ${command}`,
  }),
})

it('runs an agent to its end, streams what it says, and gives the last message and what it cost', async () => {
  const model = scriptedModel([
    [
      start,
      ...text('I look', ' first.'),
      call('Read', { file_path: 'a.txt' }),
      end('tool-calls', { input: 100, output: 20 }),
    ],
    [start, ...text('It is', ' there.'), end('stop', { input: 130, output: 4 })],
  ])
  const { result, asked, used, progress, diagnostics } = running(
    { model, tools: hostTools() },
    {
      system: 'You look.',
      messages: [
        [{ type: 'text', text: 'One.' }],
        [
          { type: 'text', text: 'Two.' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      ],
    },
  )
  expect(await result).toEqual({ text: 'It is there.', usage: { inputTokens: 230, outputTokens: 24, steps: 2, ms: 0 } })
  expect(asked).toEqual([{ tool: 'Read', content: 'a.txt', input: { file_path: 'a.txt' }, toolUseId: 'call-Read' }])
  expect(used).toEqual([{ call: asked[0], result: 'text of a.txt' }])
  expect(progress).toEqual([
    { type: 'text', text: 'I look' },
    { type: 'text', text: ' first.' },
    { type: 'tool', tool: 'Read', content: 'a.txt' },
    { type: 'step', steps: 1 },
    { type: 'text', text: 'It is' },
    { type: 'text', text: ' there.' },
    { type: 'step', steps: 2 },
  ])
  expect(diagnostics).toEqual([])
  const [first, second] = model.sent
  expect(first?.prompt).toMatchObject([
    { role: 'system', content: 'You look.' },
    { role: 'user', content: [{ type: 'text', text: 'One.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Two.' },
        { type: 'file', mediaType: 'image/png' },
      ],
    },
  ])
  expect(first?.tools?.map(({ name }) => name)).toEqual(['Read', 'Bash'])
  expect(second?.prompt.at(-1)).toMatchObject({
    role: 'tool',
    content: [{ toolCallId: 'call-Read', output: { type: 'text', value: 'text of a.txt' } }],
  })
})

it('says how long it took by the clock of the host', async () => {
  const ran = running({
    model: scriptedModel([callsTools(call('Wait', {})), says('Done.')]),
    tools: { Wait: tool({ inputSchema: z.object({}), execute: () => ran.clock.advance(1500) }) },
  })
  expect((await ran.result).usage).toMatchObject({ ms: 1500 })
})

it('gives an empty text when the model says nothing', async () => {
  const { result } = running({ model: scriptedModel([[start, end()]]) })
  expect((await result).text).toBe('')
})

it('gives the text of the last message and not of those before it', async () => {
  const { result } = running({
    model: scriptedModel([
      [start, ...text('Wait.'), call('Bash', { command: 'ls' }), end('tool-calls')],
      [start, end()],
    ]),
    tools: hostTools(),
  })
  expect(await result).toMatchObject({ text: '', usage: { steps: 2 } })
})

it.each([1, 2, 3])('ends after %i answers', async maxSteps => {
  const model = scriptedModel(
    Array.from({ length: 5 }, (_, at) => callsTools(call('Bash', { command: `echo ${at}` }, `call-${at}`))),
  )
  const { result } = running({ model, tools: hostTools() }, { maxSteps })
  expect((await result).usage).toMatchObject({ steps: maxSteps })
  expect(model.sent).toHaveLength(maxSteps)
})

it.each([0, -1, Number.NaN])('does not run on for ever when %d answers are allowed', async maxSteps => {
  const model = scriptedModel(
    Array.from({ length: 4 }, (_, at) => callsTools(call('Bash', { command: `echo ${at}` }, `call-${at}`))),
  )
  const { result } = running({ model, tools: hostTools() }, { maxSteps })
  await expect(result).resolves.toMatchObject({ usage: { steps: 1 } })
})

it('leaves out what no one counted', async () => {
  const { result } = running({ model: scriptedModel([[start, ...text('Yes.'), end('stop', {})]]) })
  expect((await result).usage).toEqual({ inputTokens: undefined, outputTokens: undefined, steps: 1, ms: 0 })
})

it.each([
  ['length', 'it reached the limit of its length'],
  ['content-filter', 'the provider filtered the rest out'],
] as const)('says that an answer ended early: %s', async (reason, why) => {
  const { result, diagnostics } = running({ model: scriptedModel([[start, ...text('It is'), end(reason)]]) })
  expect((await result).text).toBe('It is')
  expect(diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'answer-incomplete',
      message: `An answer of the agent agent-1 ended early: ${why}.`,
      provider: 'ai-sdk',
    },
  ])
})

it('has a system prompt of its own for an agent that brings none', async () => {
  const model = scriptedModel([says('Yes.'), says('Yes.')])
  await running({ model, system: ({ agentType }) => `You are ${agentType}.` }).result
  await running({ model, system: 'Not this.' }, { system: 'But this.' }).result
  expect(model.sent.map(({ prompt }) => prompt[0])).toMatchObject([
    { role: 'system', content: 'You are general-purpose.' },
    { role: 'system', content: 'But this.' },
  ])
})

it('asks for model and tools at each run, with the request', async () => {
  const seen: unknown[] = []
  const { result } = running(
    {
      model({ depth }) {
        seen.push(depth)
        return scriptedModel([says('Yes.')])
      },
      tools({ agentId }) {
        seen.push(agentId)
        return {}
      },
    },
    { depth: 3 },
  )
  await result
  expect(seen.toSorted()).toEqual([3, 'agent-1'])
})

it('takes the last of several results that a tool gives', async () => {
  const tools: ToolSet = {
    Search: tool({
      inputSchema: jsonSchema({ type: 'object' }),
      async *execute() {
        yield 'some'
        yield 'all'
      },
    }),
  }
  const model = scriptedModel([callsTools(call('Search', {})), says('Found.')])
  const { result, used } = running({ model, tools })
  await result
  expect(used).toMatchObject([{ result: 'all' }])
  expect(model.sent[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: { value: 'all' } }] })
})

it('streams an answer as it arrives', async () => {
  const heard = gate()
  const progress: unknown[] = []
  const held = (): ReadableStream<Part> =>
    streamOf([start]).pipeThrough(
      new TransformStream({
        async flush(controller) {
          for (const part of text('Early')) controller.enqueue(part)
          await heard.opened
          controller.enqueue(end())
        },
      }),
    )
  const { result } = running(
    { model: scriptedModel([held]) },
    {
      progress(event) {
        progress.push(event)
        if (event.type === 'text') heard.open()
      },
    },
  )
  expect((await result).text).toBe('Early')
  expect(progress).toEqual([
    { type: 'text', text: 'Early' },
    { type: 'step', steps: 1 },
  ])
})

it('goes on although a caller that is told fails, and says so once', async () => {
  const { result, diagnostics } = running(
    { model: scriptedModel([[start, ...text('Yes', '.'), end()]]) },
    {
      progress() {
        throw new Error('The screen is gone.')
      },
    },
  )
  expect((await result).text).toBe('Yes.')
  expect(diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'progress-failed',
      message: expect.stringMatching(/ agent-1 .*: The screen is gone\.$/),
    },
  ])
})
