import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createMcpHandler, isInitializeRequest, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server'
import { messageOf } from '@skills/core'
import { readBody, refuse, send, webRequest } from './http-exchange.js'
import { HttpGate, type Refusal } from './http-gate.js'
import { HttpSessions, type HttpSession } from './http-sessions.js'
import { Rate } from './rate.js'
import { settledHttp, type HttpOptions } from './http-options.js'
import type { SkillsServer } from './skills-server.js'

export interface HttpServer {
  readonly url: string
  /** Token that clients have to send. Undefined if none is needed, or if `personOf` decides. */
  readonly token: string | undefined
  /** Ends all sessions and their calls. */
  close(): Promise<void>
}

/** Header of the protocol that names a session. */
const sessionHeader = 'mcp-session-id'

/**
 * Serves clients over streamable HTTP, each with its own session. See docs/reference/mcp.md, "Serving over HTTP".
 * @throws SkillsError `E_INVALID_OPTION`; rejects if listening fails
 */
export async function serveHttp(server: SkillsServer, options: HttpOptions = {}): Promise<HttpServer> {
  const settled = settledHttp(options)
  const { skills, onDiagnostic } = server.options
  const { clock } = skills.host
  const gate = new HttpGate(settled)
  const sessions = new HttpSessions(server, settled, clock)
  /** Rates by person, for requests outside of sessions. */
  const rates = new Map<string, Rate>()
  const warn = (error: unknown): void =>
    onDiagnostic({
      severity: 'warning',
      type: 'source',
      code: 'mcp-client-problem',
      message: `A request could not be answered: ${messageOf(error)}`,
    })
  // The protocol of 2026 has no sessions: each request is complete, and a call has its own session.
  const modern = createMcpHandler(
    ({ authInfo }) => server.protocolServer(server.client(`person ${authInfo?.clientId ?? ''}`)),
    { legacy: 'reject', maxRequestBodySize: settled.maxBodyBytes, onerror: warn },
  )
  const stopTelling = server.onChange(() => {
    modern.notify.toolsChanged()
    modern.notify.promptsChanged()
    modern.notify.resourcesChanged()
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const { method = '', headers } = request
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== settled.path)
      return { status: 404, message: `This path is not served: send requests to ${settled.path}.` }
    const refused = gate.refusesSender(request)
    if (refused !== undefined) return refused
    // Headers that are set now are part of every answer, of refusals too.
    const cors = Object.entries(gate.corsHeaders(request))
    for (const [name, value] of cors) response.setHeader(name, value)
    // A browser asks without the token whether a page may call.
    if (method === 'OPTIONS' && cors.length > 0) {
      response.writeHead(204).end()
      return undefined
    }
    const person = await gate.personOf(request)
    if (typeof person !== 'string') return person
    if (!['POST', 'GET', 'DELETE'].includes(method))
      return { status: 405, message: `The method ${method} is not served.`, headers: { allow: 'GET, POST, DELETE' } }
    const { [sessionHeader]: id } = headers
    const session = typeof id === 'string' ? sessions.find(id, person) : undefined
    if (id !== undefined && session === undefined) return { status: 404, message: 'There is no such session.' }
    const rate = session?.rate ?? rates.get(person) ?? new Rate(clock, settled.requestsPerSecond, settled.maxOpen)
    if (session === undefined) rates.set(person, rate)
    const done = rate.begin()
    if (done === undefined)
      return { status: 429, message: 'Too many requests at one time.', headers: { 'retry-after': '1' } }
    const release = typeof id === 'string' ? sessions.use(id) : undefined
    try {
      return await served(request, response, person, session)
    } finally {
      release?.()
      done()
    }
  }

  async function served(
    request: IncomingMessage,
    response: ServerResponse,
    person: string,
    session: HttpSession | undefined,
  ): Promise<Refusal | undefined> {
    const isPost = request.method === 'POST'
    if (isPost && !isJsonContentType(request.headers['content-type'] ?? null))
      return { status: 415, message: 'Send messages as application/json.' }
    const body = isPost ? await readBody(request, settled.maxBodyBytes) : undefined
    if (body !== undefined && 'status' in body) return body
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const web = webRequest(request, body, gone.signal)
    const authInfo = { token: '', clientId: person, scopes: [] }
    if (session !== undefined) {
      await send(await session.transport.handleRequest(web, { authInfo }), response)
      return undefined
    }
    const message = jsonIn(body)
    if (!(await isLegacyRequest(web, message))) {
      await send(await modern.fetch(web, { authInfo }), response)
      return undefined
    }
    if (!isInitializeRequest(message) && message !== undefined)
      return { status: 400, message: 'This message has no session. A client has to begin with initialize.' }
    if (sessions.isFull)
      return { status: 503, message: 'There are too many sessions.', headers: { 'retry-after': '60' } }
    const begun = await sessions.begin(person)
    try {
      await send(await begun.transport.handleRequest(web, { authInfo }), response)
    } finally {
      await sessions.begun(begun)
    }
    return undefined
  }

  const http = createServer({ connectionsCheckingInterval: Math.min(5000, settled.requestMs) }, (request, response) => {
    response.on('error', warn)
    answer(request, response).then(
      refusal => refusal && refuse(response, refusal),
      (error: unknown) => {
        // A client that has disconnected gets no answer.
        if (request.errored !== null || response.closed) return response.destroy()
        warn(error)
        if (response.headersSent) return response.destroy()
        return refuse(response, { status: 500, message: 'The request could not be answered.' })
      },
    )
  })
  http.requestTimeout = settled.requestMs
  http.headersTimeout = Math.min(10_000, settled.requestMs)
  http.maxConnections = settled.maxSessions * 4 + 100
  // Streams are written to every 15 seconds. One that takes nothing for this long has no reader.
  http.setTimeout(60_000)
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(settled.port, settled.host, resolve)
  })
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : settled.port
  return {
    url: `http://${settled.host.includes(':') ? `[${settled.host}]` : settled.host}:${port}${settled.path}`,
    token: gate.token,
    async close() {
      stopTelling()
      const closed = new Promise<void>(resolve => void http.close(() => resolve()))
      await sessions.close()
      await modern.close()
      http.closeAllConnections()
      await closed
    },
  }
}

/** Parses JSON. Undefined if it is invalid: the library then answers as the protocol requires. */
function jsonIn(body: Buffer | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
