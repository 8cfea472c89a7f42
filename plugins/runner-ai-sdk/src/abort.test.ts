import { expect, it } from 'vitest'
import { tool } from 'ai'
import { z } from 'zod'
import { gate } from '../test/gate.js'
import { running } from '../test/running.js'
import { call, callsTools, scriptedModel, start, streamOf, text, type Part } from '../test/scripted-model.js'

/** Makes an endless stream. */
const endless = (onCancel: () => void): ReadableStream<Part> =>
  new ReadableStream({
    async pull(controller) {
      controller.enqueue({ type: 'text-delta', id: '1', delta: 'on ' })
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    },
    start(controller) {
      for (const part of [start, ...text('And ').slice(0, 2)]) controller.enqueue(part)
    },
    cancel: onCancel,
  })

it('ends an answer that never ends by abort, and nothing is told afterwards', async () => {
  const cancelled = gate()
  const heard: unknown[] = []
  const { result, abort, diagnostics } = running(
    { model: scriptedModel([() => endless(cancelled.open)]) },
    {
      progress(event) {
        heard.push(event)
        if (heard.length === 3) abort()
      },
    },
  )
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  await cancelled.opened
  expect([heard.length, diagnostics]).toEqual([3, []])
})

it('ends although the model does not listen', async () => {
  const asked = gate()
  const { result, abort } = running({
    model: scriptedModel([
      () => {
        asked.open()
        return new ReadableStream({ pull: () => new Promise(() => {}) })
      },
    ]),
  })
  await asked.opened
  abort()
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
})

it('begins nothing where it is aborted already', async () => {
  const model = scriptedModel([])
  const { result, abort } = running({ model })
  abort()
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  expect(model.sent).toEqual([])
})

it('tells a tool that runs to stop', async () => {
  const begun = gate()
  let isStopped = false
  const Wait = tool({
    inputSchema: z.object({}),
    execute: (_input, { abortSignal }) =>
      new Promise<string>((_, reject) => {
        abortSignal?.addEventListener('abort', () => {
          isStopped = true
          reject(new Error('Stopped.'))
        })
        begun.open()
      }),
  })
  const { result, abort, used, diagnostics } = running({
    model: scriptedModel([callsTools(call('Wait', {}))]),
    tools: { Wait },
  })
  await begun.opened
  abort()
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  expect([isStopped, used, diagnostics]).toEqual([true, [], []])
})

it('sends no second request once it is aborted', async () => {
  const model = scriptedModel([callsTools(call('Wait', {})), () => streamOf([start])])
  const ran = running({
    model,
    tools: {
      Wait: tool({
        inputSchema: z.object({}),
        execute() {
          ran.abort()
          return 'Waited.'
        },
      }),
    },
  })
  await expect(ran.result).rejects.toMatchObject({ name: 'AbortError' })
  expect(model.sent).toHaveLength(1)
})

it('says which tool does not stop', async () => {
  const begun = gate()
  const Wait = tool({
    inputSchema: z.object({}),
    execute() {
      begun.open()
      return new Promise<string>(() => {})
    },
  })
  const { result, abort, clock, diagnostics } = running({
    model: scriptedModel([callsTools(call('Wait', {}))]),
    tools: { Wait },
    closeMs: 500,
  })
  await begun.opened
  abort()
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  await clock.advance(499)
  expect(diagnostics).toEqual([])
  await clock.advance(1)
  expect(diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'tool-still-running',
      message: 'Wait of the agent agent-1 still runs, although it was told to stop 500 ms ago.',
    },
  ])
  expect(clock.pending).toBe(0)
})
