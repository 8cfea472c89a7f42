import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ModelAnswer } from './answer.js'
import { anthropicEvents } from './anthropic-events.js'
import { openaiCompletion, openaiEvents } from './openai-events.js'

export type Protocol = 'anthropic' | 'openai'

/** Fault that the server simulates instead of sending an answer. */
export type Fault =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Sends the events unchanged, then ends the response, drops the connection, or sends nothing more. */
  | {
      readonly events: readonly string[]
      readonly ending: 'end' | 'cut' | 'silence'
      readonly headers?: Readonly<Record<string, string>>
    }

export interface ModelRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export interface ModelServer {
  /** Base URL for a provider. */
  readonly url: string
  /** Requests that were received, in order. */
  readonly requests: readonly ModelRequest[]
  /** Resolves when a client has closed a connection before its response was finished. */
  hungUp(): Promise<void>
  close(): Promise<void>
}

const paths: Readonly<Record<Protocol, string>> = { anthropic: '/v1/messages', openai: '/v1/chat/completions' }

/**
 * Starts a server on this machine that speaks the protocol of a provider, with a scripted model. Answers are streamed;
 * with the protocol `openai`, a request can ask for a whole answer instead.
 * @param reply returns the answer to each request; `at` counts from 0
 */
export async function modelServer(
  protocol: Protocol,
  reply: (request: ModelRequest, at: number) => ModelAnswer | Fault,
): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const hangUp = gate()
  const server = createServer(
    (request, response) =>
      void answer(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)))
      }),
  )

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    if (request.url !== paths[protocol] || !isRecord(body)) return void response.writeHead(404).end()
    const asked: ModelRequest = { path: request.url, headers: request.headers, body }
    requests.push(asked)
    response.on('close', () => {
      if (!response.writableFinished) hangUp.open()
    })
    const given = reply(asked, requests.length - 1)
    // Frameworks treat two answers with one id as the same answer.
    const id = `chatcmpl-${requests.length}`
    if ('status' in given)
      return void response
        .writeHead(given.status, { 'content-type': 'application/json', ...given.headers })
        .end(JSON.stringify(given.body))
    if (protocol === 'openai' && body['stream'] !== true && !('events' in given))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(openaiCompletion(given, String(body['model']), id)))
    const fault = 'events' in given ? given : undefined
    response.writeHead(200, { 'content-type': 'text/event-stream', ...fault?.headers })
    const events =
      fault?.events ??
      (protocol === 'anthropic' ? anthropicEvents : openaiEvents)(
        'events' in given ? {} : given,
        String(body['model']),
        id,
      )
    for (const event of events) response.write(event)
    if (fault === undefined || fault.ending === 'end') response.end()
    // What was written has to arrive before the connection breaks.
    else if (fault.ending === 'cut') setImmediate(() => response.socket?.end(() => response.destroy()))
  }

  const { promise: listening, resolve, reject } = settled()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    hungUp: () => hangUp.opened,
    async close() {
      const closed = settled()
      server.close(error => (error === undefined ? closed.resolve() : closed.reject(error)))
      server.closeAllConnections()
      await closed.promise
    },
  }
}

/** Returns the names of the tools in a request. */
export function toolsShown(request: ModelRequest | undefined): readonly string[] {
  const tools: unknown = request?.body['tools']
  return Array.isArray(tools)
    ? tools.flatMap(
        (one: { readonly name?: string; readonly function?: { readonly name: string } }) =>
          one.function?.name ?? one.name ?? [],
      )
    : []
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = settled()
  return { opened: promise, open: resolve }
}

function settled(): {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
} {
  let resolve = (): void => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
