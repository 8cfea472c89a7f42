import { expect, test } from 'vitest'
import { attributesOf, labelsOf } from './attributes.js'
import { telemetry } from './index.js'
import { setUp } from './set-up.js'

test('where the API is not installed everything works, and a warning says what to do', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const told: string[] = []
  const tracer = await setUp(
    () => Promise.reject(missing),
    false,
    ({ code }) => void told.push(code),
  )
  expect(await tracer.trace('chat', 'm', {}, async () => tracer.within({}, async () => 7))).toBe(7)
  expect([tracer.carrier(), told]).toEqual([undefined, ['telemetry-missing']])
  await expect(
    setUp(
      () => Promise.reject(new Error('broken')),
      false,
      () => {},
    ),
  ).rejects.toThrow('broken')
})

test('providers go by the names of the conventions, and figures have no ids', () => {
  const facts = { provider: 'google.generative-ai', agentId: 'a', session: 's', digest: 'd', trigger: 'user' } as const
  expect(labelsOf('chat', facts)).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.gemini',
    'skills.trigger': 'typed',
  })
  expect(attributesOf('chat', { provider: 'anthropic.messages' }, false)).toEqual({
    'gen_ai.provider.name': 'anthropic',
  })
})

test('texts are there where they are asked for, also those that are no JSON', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  expect(attributesOf('execute_tool', { input: circle, output: { a: 1 } }, true)).toEqual({
    'gen_ai.tool.call.arguments': '[object Object]',
    'gen_ai.tool.call.result': '{"a":1}',
  })
  expect(attributesOf('execute_tool', { input: 'x', output: 'y' }, false)).toEqual({})
})

test('options are checked', () => {
  // @ts-expect-error -- there is no such option
  expect(() => telemetry({ contents: true })).toThrow('contents')
})
