import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void)

/** Real server on the loopback address. */
export interface Site {
  readonly origin: string
  /** Answers by their decoded paths. */
  readonly files: Map<string, Answer>
  /** Requests with their headers. */
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  connections(): Promise<number>
  close(): Promise<void>
}

export async function makeSite(files: Readonly<Record<string, Answer>> = {}): Promise<Site> {
  const known = new Map(Object.entries(files))
  const asked: Site['asked'] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push({ path, headers: request.headers })
    const answer = known.get(path)
    if (typeof answer === 'function') return answer(request, response)
    const etag = `"${createHash('sha256')
      .update(answer ?? '')
      .digest('hex')}"`
    if (answer === undefined) response.writeHead(404).end()
    else if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { etag }).end(answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files: known,
    asked,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
      }),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function digestOf(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** Returns a plain index of files, which declares the given sizes. */
export function indexOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  sizes: Readonly<Record<string, number>> = {},
): string {
  return JSON.stringify({
    files: Object.entries(files).map(([path, content]) => ({
      path,
      size: sizes[path] ?? Buffer.byteLength(content),
      digest: digestOf(content),
    })),
  })
}
