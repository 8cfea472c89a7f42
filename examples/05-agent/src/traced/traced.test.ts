import { AgentSession } from '@skills/host/session'
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node'
import { createSkills, processHost, type Skills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { aiSdkRunner, converse } from '@skills/runner-ai-sdk'
import { embeddedRuns, openRuns, resumeRun } from '@skills/runs'
import { telemetry, type TelemetryOptions } from '@skills/telemetry'
import { tempTree } from '@skills/testing'
import { jsonSchema, tool } from 'ai'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  call,
  callsTools,
  says,
  scriptedModel,
  type ScriptedModel,
} from '../../../../plugins/runner-ai-sdk/test/scripted-model.js'

const spans = new InMemorySpanExporter()
let figures: InMemoryMetricExporter
let meters: MeterProvider

beforeEach(() => {
  spans.reset()
  figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register()
  meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: figures })] })
  metrics.setGlobalMeterProvider(meters)
})
afterEach(async () => {
  await meters.shutdown()
  for (const api of [trace, metrics, context, propagation]) api.disable()
})

const secret = 'the-secret-word'
const anything = jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' })

function fails(): string {
  throw new TypeError(`No ${secret}.`)
}

interface Setting {
  readonly model: ScriptedModel
  readonly options?: TelemetryOptions
  readonly runs?: string
  /** Tools that no person is asked about. Default: all. */
  readonly allowed?: readonly string[]
}

function folder(): string {
  const tree = tempTree({
    'home/.claude/skills/review/SKILL.md':
      '---\nname: review\ndescription: Looks at it.\ncontext: fork\n---\nLook at $ARGUMENTS.\n',
    'home/.claude/skills/style/SKILL.md': '---\nname: style\ndescription: Has a style.\n---\nWrite plainly.\n',
  })
  onTestFinished(() => tree.dispose())
  return tree.path
}

function engine({ model, options, runs, allowed = ['Read', 'Fail'] }: Setting, path = folder()): Skills {
  const tools = {
    Read: tool({ inputSchema: anything, execute: () => `It says ${secret}.` }),
    Fail: tool({ inputSchema: anything, execute: fails }),
  }
  const skills = createSkills(
    standard({
      host: { cwd: path, home: `${path}/home`, env: {} },
      rules: { allow: ['Skill', ...allowed] },
      onDiagnostic: () => {},
      plugins: [
        aiSdkRunner({ model, tools, contentOf: () => '', maxRetries: 0 }),
        telemetry(options),
        ...(runs === undefined ? [] : [embeddedRuns({ dir: runs })]),
      ],
    }),
  )
  onTestFinished(() => skills.close())
  return skills
}

const found = (name: string): ReadableSpan[] => spans.getFinishedSpans().filter(span => span.name === name)
const parentOf = ({ parentSpanContext }: ReadableSpan): string | undefined =>
  spans.getFinishedSpans().find(span => span.spanContext().spanId === parentSpanContext?.spanId)?.name

test('a fork is a trace: the invocation, its agent, each answer of the model and each call of a tool', async () => {
  const model = scriptedModel([callsTools(call('Read', { path: secret })), says(`It is ${secret}.`)])
  await trace.getTracer('host').startActiveSpan('request', async span => {
    await new Invoker(engine({ model })).invoke({ name: 'review', args: secret, caller: 'model', toolUseId: 't1' })
    span.end()
  })
  const [skill] = found('invoke_skill review')
  expect(skill?.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_skill',
    'gen_ai.skill.name': 'review',
    'gen_ai.tool.call.id': 't1',
    'gen_ai.conversation.id': expect.any(String),
    'skills.skill.digest': expect.stringMatching(/^[0-9a-f]{64}$/),
    'skills.skill.source': 'user',
    'skills.trigger': 'model',
  })
  const [agent] = found('invoke_agent general-purpose')
  expect(agent?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'general-purpose',
    'gen_ai.agent.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'gen_ai.skill.name': 'review',
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.output_tokens': 6,
    'skills.run.state': 'done',
  })
  const chats = found('chat scripted')
  expect(chats.map(({ attributes, kind }) => [attributes['gen_ai.response.finish_reasons'], kind])).toEqual([
    [['tool-calls'], SpanKind.CLIENT],
    [['stop'], SpanKind.CLIENT],
  ])
  expect(chats[0]?.attributes).toMatchObject({
    'gen_ai.provider.name': 'test',
    'gen_ai.request.model': 'scripted',
    'gen_ai.usage.input_tokens': 10,
  })
  const [read] = found('execute_tool Read')
  expect(read?.attributes).toMatchObject({ 'gen_ai.tool.name': 'Read', 'gen_ai.tool.call.id': 'call-Read' })
  expect([skill, agent, ...chats, read].map(span => span && parentOf(span))).toEqual([
    'request',
    'invoke_skill review',
    'invoke_agent general-purpose',
    'invoke_agent general-purpose',
    'invoke_agent general-purpose',
  ])
  expect(new Set(spans.getFinishedSpans().map(span => span.spanContext().traceId)).size).toBe(1)
  // Nothing of what was said, asked, read or answered.
  expect(JSON.stringify(spans.getFinishedSpans().map(({ attributes, events }) => [attributes, events]))).not.toContain(
    secret,
  )
})

test('what was said is kept where it is asked for', async () => {
  const model = scriptedModel([callsTools(call('Read', { path: 'a' }), call('Fail', {})), says('Done.')])
  const skills = engine({ model, options: { content: true } })
  await new Invoker(skills).invoke({ name: 'review', args: 'the gate', caller: 'user' })
  expect(found('invoke_skill review')[0]?.attributes).toMatchObject({
    'skills.arguments': 'the gate',
    'skills.trigger': 'typed',
  })
  const [first, second] = found('chat scripted').map(({ attributes }) => [
    JSON.parse(String(attributes['gen_ai.input.messages'])) as unknown[],
    JSON.parse(String(attributes['gen_ai.output.messages'])) as unknown[],
  ])
  expect(first?.[0]?.at(-1)).toEqual({
    role: 'user',
    parts: [{ type: 'text', content: expect.stringContaining('Look at the gate.') }],
  })
  expect(first?.[1]).toMatchObject([{ parts: [{}, { type: 'tool_call', name: 'Read' }, { name: 'Fail' }] }])
  expect(second?.[0]?.at(-1)).toMatchObject({ role: 'tool', parts: [{ type: 'tool_call_response' }, {}] })
  expect(second?.[1]).toEqual([{ role: 'assistant', parts: [{ type: 'text', content: 'Done.' }] }])
  expect(found('execute_tool Read')[0]?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"path":"a"}',
    'gen_ai.tool.call.result': `It says ${secret}.`,
  })
  const [failed] = found('execute_tool Fail')
  expect(failed).toMatchObject({ status: { message: `No ${secret}.` }, events: [{ name: 'exception' }] })
})

test('errors are recorded by their kind, without what they say', async () => {
  const model = scriptedModel([callsTools(call('Fail', {}))])
  await expect(new Invoker(engine({ model })).invoke({ name: 'review', caller: 'user' })).rejects.toThrow(
    'There is no further answer',
  )
  const failed = ['execute_tool Fail', 'chat scripted', 'invoke_agent general-purpose', 'invoke_skill review'].map(
    name => found(name).at(-1),
  )
  expect(failed.map(span => span?.attributes['error.type'])).toEqual([
    'TypeError',
    'Error',
    'E_PROVIDER_FAILED',
    'E_PROVIDER_FAILED',
  ])
  for (const span of failed) expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
  expect(failed[2]?.attributes).toMatchObject({ 'skills.run.state': 'failed' })
})

test('a run that is gone on with in another engine goes on in its trace, and what was made is not traced again', async () => {
  const path = folder()
  const runs = `${path}/runs`
  const first = engine({ model: scriptedModel([callsTools(call('Read', {}))]), runs, allowed: [] }, path)
  const { data } = await new Invoker(first).invoke({ name: 'review', caller: 'user' })
  const id = String(data['agentId'])
  await first.close()
  const [left] = found('invoke_agent general-purpose')
  expect(left?.attributes).toMatchObject({ 'skills.run.state': 'left' })
  expect(left?.status.code).toBe(SpanStatusCode.UNSET)
  const second = engine({ model: scriptedModel([says('Done.')]), runs, allowed: [] }, path)
  const kept = openRuns(processHost({ home: path, env: {} }), { dir: runs })
  const { question, trace: carrier } = await kept.get(id)
  expect(carrier).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) })
  await kept.answer(id, question?.id ?? '', 'allow')
  expect(await resumeRun(second, id)).toMatchObject({ state: 'done' })
  const invoked = found('invoke_skill review')
  expect(new Set(spans.getFinishedSpans().map(span => span.spanContext().traceId)).size).toBe(1)
  expect(invoked.map(parentOf)).toEqual([undefined, 'invoke_skill review'])
  expect(found('invoke_agent general-purpose').map(({ attributes }) => attributes['skills.run.state'])).toEqual([
    'left',
    'done',
  ])
  // Two answers and one call, in both.
  expect([found('chat scripted').length, found('execute_tool Read').length]).toEqual([2, 1])
})

test('a line of a conversation is a trace, with the skills that its model uses', async () => {
  const skills = engine({ model: scriptedModel([]) })
  const distribution = { tool: { listingIn: 'system' as const } }
  const conversation = await converse(
    { session: options => AgentSession.open(skills, { distribution, ...options }) },
    {
      model: scriptedModel([callsTools(call('Skill', { skill: 'style' })), says('Done.')]),
      progress: () => {},
      onDiagnostic: () => {},
    },
  )
  await conversation.say(secret)
  const [turn] = found('invoke_agent conversation')
  expect(turn?.attributes).toMatchObject({ 'gen_ai.conversation.id': conversation.session.id })
  expect(found('chat scripted').map(parentOf)).toEqual(['invoke_agent conversation', 'invoke_agent conversation'])
  expect(found('chat scripted')[0]?.attributes['gen_ai.conversation.id']).toBe(conversation.session.id)
  expect(found('execute_tool Skill').map(parentOf)).toEqual(['invoke_agent conversation'])
  expect(found('invoke_skill style').map(parentOf)).toEqual(['execute_tool Skill'])
})

test('invocations, runs, tokens and calls are counted and timed, without ids', async () => {
  const model = scriptedModel([callsTools(call('Read', {})), says('Done.'), callsTools(call('Fail', {}))])
  const invoker = new Invoker(engine({ model }))
  await invoker.invoke({ name: 'review', caller: 'user' })
  await invoker.invoke({ name: 'review', caller: 'user' }).catch(() => {})
  await meters.forceFlush()
  const points = figures.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? []
  const of = (name: string) =>
    points
      .find(({ descriptor }) => descriptor.name === name)
      ?.dataPoints.map(({ value, attributes }) => ({
        count: typeof value === 'number' ? value : 'count' in value ? value.count : undefined,
        sum: typeof value === 'number' ? value : 'sum' in value ? value.sum : undefined,
        state: attributes['skills.run.state'],
        type: attributes['gen_ai.token.type'],
        error: attributes['error.type'],
      })) ?? []
  expect(of('skills.invocations').map(({ count, error }) => [count, error])).toEqual([
    [1, undefined],
    [1, 'E_PROVIDER_FAILED'],
  ])
  expect(of('skills.runs').map(({ count, state }) => [count, state])).toEqual([
    [1, 'done'],
    [1, 'failed'],
  ])
  expect(of('skills.tool_calls').map(({ count }) => count)).toEqual([1, 1])
  expect(of('gen_ai.client.token.usage').map(({ sum, type }) => [sum, type])).toEqual([
    [30, 'input'],
    [9, 'output'],
  ])
  for (const name of ['skills.invocation', 'gen_ai.invoke_agent', 'gen_ai.execute_tool', 'gen_ai.client.operation'])
    expect(of(`${name}.duration`).reduce((all, { count = 0 }) => all + count, 0)).toBeGreaterThan(0)
  for (const { dataPoints } of points)
    for (const { attributes } of dataPoints)
      for (const key of ['gen_ai.agent.id', 'gen_ai.conversation.id', 'skills.skill.digest'])
        expect(attributes).not.toHaveProperty([key])
})

test('without an SDK nothing is sent and everything works', async () => {
  for (const api of [trace, metrics, context, propagation]) api.disable()
  const { data } = await new Invoker(engine({ model: scriptedModel([says('Done.')]) })).invoke({
    name: 'review',
    caller: 'user',
  })
  expect(data['result']).toBe('Done.')
  expect(spans.getFinishedSpans()).toEqual([])
})
