import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import * as s from '@skills/core/schema'
import type { SkillsError } from '@skills/core'
import { failed, refusal, type Answer } from './answer.js'
import { Artifacts } from './artifacts.js'
import { Rates } from './rates.js'
import { routes, type Route } from './routes.js'
import type { Registry } from '../registry-types.js'

const serverOptions = s.options('registryServer()', {
  /** Registry that is served. The server does not close it. */
  registry: s.typed<Registry>('what openRegistry() returned', 'search').required(),
  /** Requests a second of each client, of which a download counts as five. Five times as many may come at once. */
  requestsPerSecond: s.count().default(50),
  /** Milliseconds that requests may take after the server is told to end. */
  graceMs: s.milliseconds().default(5_000),
  /** Called with faults of the server, which clients do not see. */
  onProblem: s.fn<(error: unknown) => void>().default(() => {}),
})

export interface RegistryServerOptions extends s.OptionsOf<typeof serverOptions> {}

export interface RegistryServer {
  /**
   * Listens, and returns the URL.
   * @param host address; one that only this machine reaches. Default: 127.0.0.1
   * @param port 0 for a free one
   */
  listen(at: { readonly host?: string | undefined; readonly port: number }): Promise<string>
  /** Stops listening, and ends when all requests have an answer. */
  close(): Promise<void>
}

const longestUrl = 4_096
/** Most connections, and most bytes of answers that wait for clients. */
const mostConnections = 2_048
const mostUnread = 256 * 1024 * 1024
/** Milliseconds after which a connection on which nothing moves is closed. */
const idleMs = 30_000
/** Bytes that a client reads in a millisecond at least. */
const slowest = 8

const headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const

/**
 * Makes the HTTP server of a registry. See docs/reference/registry.md, "Server".
 * @throws SkillsError `E_INVALID_OPTION`
 */
export function registryServer(given: RegistryServerOptions): RegistryServer {
  const { registry, requestsPerSecond, graceMs, onProblem } = serverOptions.read(given)
  const artifacts = new Artifacts(registry)
  const rates = new Rates(requestsPerSecond, () => performance.now())
  /** Bytes of answers that no client has read yet. */
  let unread = 0

  const answer = async (request: IncomingMessage, signal: AbortSignal): Promise<Answer> => {
    const { route, parts, query } = routed(request)
    const client = addressOf(request)
    const seconds = rates.take(client, route.cost)
    if (seconds !== undefined) throw tooMany('Too many requests come from here.', seconds)
    if (unread > mostUnread) throw tooMany('Too many answers wait to be read.', 1, 503)
    const tags = (request.headers['if-none-match'] ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
    const has = (tag: string): boolean => tags.includes(`"${tag}"`)
    const made = await route.run({ registry, artifacts, query, signal, part: name => parts[name] ?? '', has })
    const isKnown = made.status === 200 && tags.includes(made.headers['etag'] ?? '')
    return isKnown ? { ...made, status: 304, body: Buffer.alloc(0) } : made
  }

  const send = ({ status, headers: own, body }: Answer, request: IncomingMessage, response: ServerResponse): void => {
    if (response.closed) return
    const length = status === 304 ? {} : { 'content-length': body.length }
    // The rest of a refused request is not awaited.
    const end = status >= 400 || hasBody(request) ? { connection: 'close' } : {}
    response.writeHead(status, { ...headers, ...own, ...length, ...end })
    if (request.method === 'HEAD' || body.length === 0) return void response.end()
    unread += body.length
    const late = setTimeout(() => response.destroy(), idleMs + body.length / slowest)
    response.once('close', () => {
      clearTimeout(late)
      unread -= body.length
    })
    response.end(body)
  }

  const http = createServer(
    { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 10_000 },
    (request, response) => {
      const left = new AbortController()
      response.once('close', () => left.abort())
      // A client that leaves is no fault of the server.
      response.on('error', () => {})
      answer(request, left.signal)
        .catch((error: unknown) => failed(error, onProblem))
        .then(made => send(made, request, response))
        .catch(error => {
          onProblem(error)
          response.destroy()
        })
    },
  )
  http.maxConnections = mostConnections
  http.setTimeout(idleMs, (socket: Socket) => socket.destroy())
  return {
    async listen({ host = '127.0.0.1', port }) {
      await new Promise<void>((listening, reject) => {
        // Later ones, which concern single connections, change nothing.
        http.on('error', reject)
        http.listen(port, host, listening)
      })
      const address = http.address()
      const own = typeof address === 'object' && address !== null ? address.port : port
      return `http://${host.includes(':') ? `[${host}]` : host}:${own}/`
    },
    async close() {
      const closed = new Promise<void>(done => void http.close(() => done()))
      const late = setTimeout(() => http.closeAllConnections(), graceMs)
      await closed
      clearTimeout(late)
    },
  }
}

/** Names by which clients on this machine address it. A page could have led a browser here by another name. */
const ownNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

interface Routed {
  readonly route: Route
  readonly parts: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

const compiled = routes.map(route => ({
  route,
  form: new RegExp(`^${route.path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Finds what a request asks for. Throws a refusal if there is nothing. */
function routed(request: IncomingMessage): Routed {
  const { url = '', method = '', headersDistinct } = request
  const [host = '', ...more] = headersDistinct['host'] ?? []
  if (more.length > 0 || !ownNames.test(host))
    throw refusal(403, 'E_REGISTRY_DENIED', 'This server does not accept that host name.', 'Address it as 127.0.0.1.')
  if (url.length > longestUrl)
    throw refusal(414, 'E_REGISTRY_REQUEST', `The URL has more than ${longestUrl} characters.`, 'Shorten the query.')
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const fitting = compiled.flatMap(({ route, form }) => {
    const match = form.exec(path)
    return match === null ? [] : { route, parts: match.groups ?? {} }
  })
  const [first] = fitting
  if (first === undefined) throw nowhere()
  const found = fitting.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method))
  if (found === undefined) {
    const allow = fitting.map(({ route }) => route.method).join(', ')
    const message = `The method ${method} is not served here.`
    throw refusal(405, 'E_REGISTRY_REQUEST', message, `Send ${allow}.`, { allow })
  }
  if (found.route.method === 'GET' && hasBody(request))
    throw refusal(400, 'E_REGISTRY_REQUEST', 'This request has a body.', 'Send it without one.')
  const parts: Record<string, string> = {}
  for (const [name, part] of Object.entries(found.parts)) parts[name] = decoded(part)
  return { route: found.route, parts, query: new URLSearchParams(query) }
}

function nowhere(): SkillsError {
  const hint = 'Look at what is served: GET /v1/openapi.json'
  return refusal(404, 'E_REGISTRY_REQUEST', 'Nothing is served at this path.', hint)
}

function decoded(part: string): string {
  try {
    const text = decodeURIComponent(part)
    // No name of a skill has these, and a path never leads elsewhere by them.
    if (!/[/\\\0:]/.test(text.replace(/^sha256:/, ''))) return text
  } catch {
    // Not the encoding of a text.
  }
  throw nowhere()
}

const hasBody = ({ headers: { 'content-length': length, 'transfer-encoding': encoding } }: IncomingMessage): boolean =>
  encoding !== undefined || Number(length ?? 0) !== 0

/** Returns the address of a client. A proxy on this machine says whose request it passes on. */
function addressOf({ socket: { remoteAddress = '' }, headers: { 'x-forwarded-for': given = '' } }: IncomingMessage) {
  const forwarded = String(given).split(',').at(-1)?.trim() ?? ''
  const isOwn = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)
  return isOwn && isIP(forwarded) !== 0 ? forwarded : remoteAddress
}

function tooMany(message: string, seconds: number, status = 429): SkillsError {
  const hint = `Send it again after ${seconds} s.`
  return refusal(status, 'E_REGISTRY_RATE', message, hint, { 'retry-after': String(seconds) })
}
