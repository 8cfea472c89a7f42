import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { expect, it, onTestFinished, vi } from 'vitest'
import { aiSdkRunner } from './index.js'
import { conversing } from '../test/conversing.js'
import { running } from '../test/running.js'
import type { Model } from './options.js'

interface Served {
  readonly model: Model
  readonly requests: () => number
  /** Settles when the client has closed its first request. */
  readonly left: Promise<unknown>
}

/** Starts a model on a real server with the given answers. */
async function served(answer: (response: ServerResponse) => void): Promise<Served> {
  let leave = (): void => {}
  let requests = 0
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const server = createServer((_request, response) => {
    requests += 1
    response.on('close', leave)
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    model: createOpenAICompatible({ name: 'served', baseURL: `http://127.0.0.1:${port}` })('slow'),
    requests: () => requests,
    left,
  }
}

const event = (content: string): string =>
  `data: ${JSON.stringify({ id: '1', created: 1, model: 'slow', choices: [{ index: 0, delta: { role: 'assistant', content } }] })}\n\n`
const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

const stalled = {
  code: 'E_TIMEOUT',
  message: expect.stringContaining('The model "slow" of served.chat sent nothing for 300000 ms.') as string,
}

it('an answer that stands still in the middle is given up, and its request ends', async () => {
  const { model, left, requests } = await served(response => void begin(response).write(event('Half of')))
  const { result, progress, clock } = running({ model })
  const failed = result.catch((error: unknown) => error)
  await vi.waitFor(() => expect(progress).toEqual([{ type: 'text', text: 'Half of' }]), { timeout: 10_000 })
  await clock.advance(299_999)
  await clock.advance(1)
  expect(await failed).toMatchObject(stalled)
  await left
  expect(requests()).toBe(1)
})

it('an answer that does not begin is given up', async () => {
  const { model, left, requests } = await served(() => {})
  const { result, clock } = running({ model, idleMs: 50, maxRetries: 0 })
  const failed = result.catch((error: unknown) => error)
  await vi.waitFor(() => expect(requests()).toBe(1), { timeout: 10_000 })
  await clock.advance(50)
  expect(await failed).toMatchObject({ code: 'E_TIMEOUT', message: expect.stringContaining('sent nothing for 50 ms') })
  await left
})

it('an answer without end is given up, and its request ends', async () => {
  const { model, left } = await served(response => {
    begin(response)
    const more = (): void => {
      while (response.writable && response.write(event('x'.repeat(1000))));
    }
    response.on('drain', more)
    more()
  })
  const { result, progress } = running({ model, maxAnswerChars: 100_000 })
  await expect(result).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    message: expect.stringMatching(/"slow" of served\.chat .* 100000 /) as string,
  })
  await left
  expect(progress.length).toBeLessThanOrEqual(100)
})

it('the same holds in a conversation', async () => {
  const { model } = await served(response => {
    begin(response).write(event('Well.'))
  })
  const { conversation, clock, progress } = await conversing({ model: model as never })
  const failed = conversation.say('Hello.').catch((error: unknown) => error)
  await vi.waitFor(() => expect(progress).toContainEqual({ type: 'text', text: 'Well.' }), { timeout: 10_000 })
  await clock.advance(300_000)
  expect(await failed).toMatchObject(stalled)
  expect(clock.pending).toBe(0)
})

it('a limit that is none is refused', () => {
  for (const limit of [{ idleMs: 0 }, { idleMs: Number.NaN }, { maxAnswerChars: -1 }]) {
    expect(() =>
      aiSdkRunner({
        model: () => {
          throw new Error('Not asked.')
        },
        ...limit,
      }),
    ).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
  }
})
