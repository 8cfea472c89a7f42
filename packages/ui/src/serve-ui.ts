import * as s from '@skills/core/schema'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { messageOf, SkillsError } from '@skills/core'
import { Gate, isLedHere, type Refusal } from './gate.js'
import { builtFolder, PageFiles, readingWorker } from './page-files.js'
import { questionKinds } from './question-kinds.js'
import { checkedAsked, isQuestion } from './questions.js'
import { Reader } from './reading/reader.js'
import type { Socket } from 'node:net'
import type { Change, PageAnswers, Question, UiAnswers } from './api.js'

const uiOptions = s.options('serveUi()', {
  port: s.number().default(0),
  /** Absolute path of the built files of this package. Default: those of this package. */
  builtDir: s.text(),
  /** Called with problems that are not shown on a page, such as a question that failed. */
  onProblem: s.fn<(message: string) => void>().default(() => {}),
})

export interface UiOptions extends s.OptionsOf<typeof uiOptions> {}

export interface UiServer {
  /** Address with the token. The first browser that opens it is let in. */
  readonly url: string
  /** True if a page is open. */
  readonly isWatched: boolean
  /** Notifies every open page of a change. */
  changed(change: Change): void
  close(): Promise<void>
}

/** Bytes of one question. A skill file has at most 1 MiB, and JSON may double it. */
const maxBody = 4 * 1024 * 1024
/** Most open pages. */
const mostPages = 32
/** Most bytes that wait for a page which does not read its events. */
const mostUnread = 64 * 1024
/** Most connections. A further one replaces the oldest that never had the secret. */
const mostConnections = 256
/** Milliseconds that a connection without the secret may be idle. */
const mostIdle = 30_000

/** Content policy: everything is loaded from here, nothing is embedded, and no text becomes markup, script or style. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const

/**
 * Serves the page on the loopback address to the one browser that opens it. See docs/reference/ui.md.
 * @throws SkillsError `E_INVALID_OPTION`; rejects if listening fails
 */
export async function serveUi(answers: UiAnswers, given?: UiOptions): Promise<UiServer> {
  const { port: wanted, builtDir = builtFolder(), onProblem } = uiOptions.read(given)
  const files = new PageFiles(builtDir)
  const reader = new Reader(readingWorker(builtDir))
  const pages = new Set<ServerResponse>()
  const known = new WeakSet<Socket>()
  let gate: Gate | undefined

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> => {
    if (gate === undefined) return { status: 503, message: 'This server is starting.' }
    const stranger = gate.stranger(request)
    if (stranger !== undefined) return stranger
    const [, pathname, query = ''] = /^(\/(?!\/)[^?#\\]*)(?:\?(.*))?$/.exec(request.url ?? '') ?? []
    if (pathname === undefined || pathname.includes('%00'))
      return { status: 400, message: 'This is not the address of a page.' }
    const file = await files.at(pathname)
    if (file !== undefined) {
      if (request.method !== 'GET') return { status: 405, message: 'Read pages with GET.' }
      response.writeHead(200, { 'content-type': file.type })
      response.end(pathname === '/' && isLedHere(request.headers) ? markedAsLedTo(file.bytes) : file.bytes)
      return undefined
    }
    const name = /^\/api\/(\w+)$/.exec(pathname)?.[1]
    if (name === 'session') {
      if (request.method !== 'POST') return { status: 405, message: 'Begin a session with POST.' }
      const entered = gate.enter(request)
      if ('secret' in entered) await sendJson(entered, response)
      return 'secret' in entered ? undefined : entered
    }
    const closed = gate.closed(request)
    if (closed !== undefined) return closed
    // An answer may take long.
    known.add(request.socket.setTimeout(0))
    if (name === 'events') return listen(response)
    return name !== undefined && isQuestion(name) ? ask(name, request, response, query) : missing
  }

  const ask = async (
    name: Question,
    request: IncomingMessage,
    response: ServerResponse,
    query: string,
  ): Promise<Refusal | undefined> => {
    const isPost = request.method === 'POST'
    if (isPost !== questionKinds[name].isChange || (!isPost && request.method !== 'GET'))
      return { status: 405, message: `Send this request with ${questionKinds[name].isChange ? 'POST' : 'GET'}.` }
    // A form of another site cannot send this type without a preflight request, which is refused.
    if (isPost && request.headers['content-type'] !== 'application/json')
      return { status: 415, message: 'Send requests as application/json.' }
    const json = isPost ? await bodyOf(request) : (new URLSearchParams(query).get('asked') ?? '{}')
    if (typeof json !== 'string') return json
    const asked = checkedAsked(name, json)
    const left = new AbortController()
    response.once('close', () => left.abort())
    const reading: PageAnswers['reading'] = one => reader.read(one.text, { ...one, signal: left.signal })
    // The parameters were checked for the method of the same name.
    const method: (asked: never) => Promise<unknown> = name === 'reading' ? reading : answers[name]
    const told = await method.call(answers, asked as never)
    // The status also tells the client that nothing was written.
    const isNotSaved =
      (name === 'save' || name === 'move') && typeof told === 'object' && told !== null && 'problem' in told
    await sendJson(told, response, isNotSaved ? 409 : 200)
    return undefined
  }

  const listen = (response: ServerResponse): Refusal | undefined => {
    if (pages.size >= mostPages) return { status: 503, message: 'Too many pages are open: close some.' }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
    pages.add(response)
    response.once('close', () => pages.delete(response))
    return undefined
  }

  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1000 }
  const http = createServer(limits, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    answer(request, response).then(
      refusal => refusal && refuse(response, refusal),
      (error: unknown) => {
        if (response.headersSent || response.closed) {
          onProblem(messageOf(error))
          response.destroy()
        } else refuse(response, refusalOf(error, onProblem))
      },
    )
  })
  http.timeout = mostIdle
  const sockets = new Set<Socket>()
  http.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (sockets.size > mostConnections) [...sockets].find(one => !known.has(one))?.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(wanted, '127.0.0.1', resolve)
  })
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : wanted
  gate = new Gate(port)
  return {
    url: `http://127.0.0.1:${port}/#token=${gate.token}`,
    get isWatched() {
      return pages.size > 0
    },
    changed(change) {
      for (const page of pages)
        if (page.writableLength > mostUnread) page.destroy()
        else page.write(`data: ${change}\n\n`)
    },
    async close() {
      const closed = new Promise<void>(resolve => void http.close(() => resolve()))
      http.closeAllConnections()
      await Promise.all([closed, reader.close()])
    },
  }
}

/** Marks the page as reached from another page. It then shows nothing until a person asks for it. */
const markedAsLedTo = (bytes: Buffer): string => bytes.toString().replace('<div id="page"', '$& data-led-here')

const missing: Refusal = { status: 404, message: 'There is nothing here.' }

/** Returns the refusal for an error. The host's own errors are shown to the person; others are faults, and reported. */
function refusalOf(error: unknown, onProblem: (message: string) => void): Refusal {
  if (SkillsError.is(error)) {
    const isUnknown = error.code.startsWith('E_UNKNOWN') || error.code === 'E_RUN_UNKNOWN'
    return { status: isUnknown ? 404 : 400, message: error.message }
  }
  onProblem(messageOf(error))
  return { status: 500, message: `The request could not be answered: ${messageOf(error)}` }
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  // The rest of the request is not awaited.
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${message}\n`)
}

async function bodyOf(request: IncomingMessage): Promise<string | Refusal> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > maxBody) return { status: 413, message: `A request may have at most ${maxBody} bytes.` }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Elements that are serialised together. All of 60,000 at once would take as much memory as finding them. */
const batch = 256

/** Sends a value as JSON. An iterable is sent piece by piece, as fast as the page reads it. */
async function sendJson(value: unknown, response: ServerResponse, status = 200): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' })
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
    response.end(JSON.stringify(value))
    return
  }
  const write = async (text: string): Promise<void> => {
    if (!response.write(text) && !response.closed)
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  let lead = '['
  let rows: unknown[] = []
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    await write(lead + JSON.stringify(rows).slice(1, -1))
    lead = ','
    rows = []
  }
  for (const row of value as Iterable<unknown>) {
    rows.push(row)
    if (rows.length === batch) await flush()
    if (response.closed) return
  }
  await flush()
  response.end(lead === '[' ? '[]' : ']')
}
