import { messageOf } from '@skills/core'
import { expect, it } from 'vitest'
import { effortOptions } from './index.js'
import { installed } from './ai-library.js'
import { running } from '../test/running.js'
import { end, says, scriptedModel, start, streamOf, text, type Part } from '../test/scripted-model.js'

it('runs the model that an agent asks for', async () => {
  const small = scriptedModel([says('Small.')], 'small')
  const { result, diagnostics } = running(
    { model: scriptedModel([], 'large'), modelFor: name => (name === 'small' ? small : undefined) },
    { model: 'small' },
  )
  expect((await result).text).toBe('Small.')
  expect(diagnostics).toEqual([])
})

it("runs the parent's model for a name that no one knows, and says so once", async () => {
  const model = scriptedModel([says('Large.')], 'large')
  const { result, diagnostics } = running({ model, modelFor: () => undefined }, { model: 'tiny' })
  expect((await result).text).toBe('Large.')
  expect(diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'unknown-model',
      message:
        'The agent "general-purpose" should run on the model "tiny", which is not known here. It runs on "large" instead.',
    },
  ])
})

it.each([
  ['the name "large"', 'large'],
  ['something else', undefined],
  ['something else', { ...scriptedModel([]), specificationVersion: 'v2' }],
])('refuses %s for a model', async (what, model) => {
  const { result } = running({ model: () => JSON.parse(JSON.stringify(model ?? null)) })
  await expect(result).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
    message: expect.stringContaining(`needs a model, and was given ${what}.`),
  })
})

it("says nothing where the name is that of the parent's model", async () => {
  const { result, diagnostics } = running({ model: scriptedModel([says('Yes.')], 'large') }, { model: 'large' })
  await result
  expect(diagnostics).toEqual([])
})

it.each([
  [
    'low',
    { anthropic: { effort: 'low' }, openai: { reasoningEffort: 'low' }, openaiCompatible: { reasoningEffort: 'low' } },
  ],
  [
    'max',
    {
      anthropic: { effort: 'max' },
      openai: { reasoningEffort: 'xhigh' },
      openaiCompatible: { reasoningEffort: 'xhigh' },
    },
  ],
  [4096, { anthropic: { thinking: { type: 'enabled', budgetTokens: 4096 } } }],
] as const)('puts the effort %s to the providers in their words', async (effort, options) => {
  const model = scriptedModel([says('Yes.')])
  await running({ model }, { effort }).result
  expect(model.sent[0]?.providerOptions).toEqual(options)
  expect(effortOptions(effort)).toEqual(options)
})

it('puts an effort in the words of the host, and none where none is asked for', async () => {
  const model = scriptedModel([says('Yes.'), says('Yes.')])
  await running({ model, effortFor: (effort, { modelId }) => ({ test: { effort, modelId } }) }, { effort: 'high' })
    .result
  await running({ model, effortFor: () => ({ test: { effort: 'never' } }) }).result
  expect(model.sent.map(({ providerOptions }) => providerOptions)).toEqual([
    { test: { effort: 'high', modelId: 'scripted' } },
    undefined,
  ])
})

it.each<[string, readonly Part[], string]>([
  [
    'an error in the middle',
    [start, ...text('It is'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, end()],
    'The model "scripted" of test failed: overloaded_error: Overloaded.',
  ],
  [
    'two errors, of which the first counts',
    [start, { type: 'error', error: new Error('One.') }, { type: 'error', error: new Error('Two.') }],
    'The model "scripted" of test failed: One.',
  ],
  ['an error that is text', [start, { type: 'error', error: 'gone' }], 'The model "scripted" of test failed: gone.'],
  [
    'an error without words',
    [start, { type: 'error', error: { code: 3 } }],
    'The model "scripted" of test failed: {"code":3}.',
  ],
  [
    'an end before its end',
    [start, ...text('It is')],
    'The model "scripted" of test failed: the answer was cut off before its end.',
  ],
  ['nothing at all', [], 'The model "scripted" of test failed: the answer was cut off before its end.'],
])('fails once with %s', async (_title, parts, message) => {
  const { result, diagnostics } = running({ model: scriptedModel([parts]), maxRetries: 0 })
  const error: unknown = await result.catch((failed: unknown) => failed)
  expect(error).toMatchObject({ code: 'E_PROVIDER_FAILED' })
  // Version 7 of the AI SDK knows the status of some errors by their messages.
  expect(messageOf(error).replace(' (status 503)', '')).toBe(message)
  expect(diagnostics).toEqual([])
})

it('fails with what a model throws', async () => {
  const { result } = running({ model: scriptedModel([]) })
  await expect(result).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    message: 'The model "scripted" of test failed: There is no further answer.',
  })
})

it('fails when a stream breaks', async () => {
  const broken = (): ReadableStream<Part> =>
    streamOf([start]).pipeThrough(new TransformStream({ flush: () => Promise.reject(new Error('The line is dead.')) }))
  await expect(running({ model: scriptedModel([broken]) }).result).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    message: expect.stringContaining('The line is dead'),
  })
})

it('reports what a provider warns of, once, and prints nothing', async () => {
  const warned: Part = {
    type: 'stream-start',
    warnings: [
      { type: 'unsupported', feature: 'topK' },
      { type: 'other', message: 'The model is old.' },
      { type: 'compatibility', feature: 'effort', details: 'lowered to high' },
    ],
  }
  const { result, diagnostics } = running({ model: scriptedModel([[warned, ...text('Yes.'), end()]]) })
  expect((await result).text).toBe('Yes.')
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['model-warning', expect.stringContaining('"scripted" of test: topK ') as string],
    ['model-warning', 'The model "scripted" of test: The model is old.'],
    ['model-warning', expect.stringContaining('"scripted" of test: effort ') as string],
  ])
})

it('says what to install where the AI SDK is not there', async () => {
  const missing = Object.assign(new Error("Cannot find package 'ai' imported from /app/main.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  await expect(installed(() => Promise.reject(missing))).rejects.toMatchObject({
    code: 'E_MISSING_PROVIDER',
    message: expect.stringContaining('npm install ai@6'),
    cause: missing,
  })
  for (const message of [
    "Cannot find package 'zod' imported from /app/main.js",
    "Cannot find package 'zod' imported from /app/node_modules/ai/dist/index.mjs",
  ]) {
    const other = Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    await expect(installed(() => Promise.reject(other))).rejects.toBe(other)
  }
})

it('says the same where the AI SDK is so old that it has not what is asked for', async () => {
  for (const message of [
    'No "exports" main defined in /app/node_modules/ai/package.json',
    String.raw`Package subpath './test' is not defined by "exports" in C:\app\node_modules\ai\package.json imported from C:\app\main.js`,
  ]) {
    const old = Object.assign(new Error(message), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
    await expect(installed(() => Promise.reject(old))).rejects.toMatchObject({
      code: 'E_MISSING_PROVIDER',
      message: expect.stringContaining('npm install ai@6'),
      cause: old,
    })
  }
  const other = Object.assign(new Error('No "exports" main defined in /app/node_modules/main/package.json'), {
    code: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
  })
  await expect(installed(() => Promise.reject(other))).rejects.toBe(other)
})
