import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from './http-gate.js'

/** Reads the body of a request. Returns a refusal if it is too large. Rejects if the client ends it early. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | Refusal> {
  const tooLarge = {
    status: 413,
    message: `A message may have at most ${maxBytes} bytes.`,
    headers: { connection: 'close' },
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge
  const chunks: Buffer[] = []
  let bytes = 0
  // The rest of a large body is not read. Leaving the loop would destroy the connection before the answer is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > maxBytes) return tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Converts a request for the library. Its signal aborts when the client disconnects. */
export function webRequest(request: IncomingMessage, body: Buffer | undefined, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  return new Request(`http://${request.headers.host ?? 'localhost'}${request.url ?? '/'}`, {
    method: request.method ?? 'GET',
    headers,
    signal,
    ...(body !== undefined && { body: new Uint8Array(body) }),
  })
}

/** Sends an answer as fast as the client reads it. */
export async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.flushHeaders()
  const reader = answer.body?.getReader()
  if (reader === undefined) return void response.end()
  const gone = once(response, 'close').then(() => true)
  void gone.then(() => reader.cancel())
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return void response.end()
    if (response.closed) return
    if (!response.write(value) && (await Promise.race([gone, once(response, 'drain').then(() => false)]))) return
  }
}

/** Answers a request with an error of the protocol. */
export function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(
    JSON.stringify({ jsonrpc: '2.0', error: { code: status === 404 ? -32_001 : -32_000, message }, id: null }),
  )
}
