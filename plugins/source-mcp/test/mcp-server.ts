import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

export type Params = Readonly<Record<string, unknown>>
export type Answer = (params: Params) => unknown

/** Error with which a server answers. */
export class Refused extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Server of prompts and skills that a test controls: over HTTP on the loopback, or over a transport without a network.
 */
export class McpServer {
  /** Answer of each method. A test may replace them. */
  readonly answers: Record<string, Answer>
  /** Methods that were called, in order. */
  readonly asked: string[] = []
  capabilities: Record<string, unknown> = {
    prompts: { listChanged: true },
    resources: {},
    extensions: { 'io.modelcontextprotocol/skills': {} },
  }
  prompts: unknown[] = []
  skills: unknown[] = []
  /** Entries on a page. */
  pageSize = 1000
  /** Texts and resources by their URIs. */
  readonly files = new Map<string, string>()
  readonly #transports = new Set<Transport>()
  readonly #watchers: { readonly method: string; readonly tell: () => void }[] = []

  constructor() {
    this.answers = {
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: this.capabilities,
        serverInfo: { name: 'says it is another', version: '1' },
      }),
      'prompts/list': params => this.#page('prompts', this.prompts, params),
      'prompts/get': ({ name, arguments: args }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `${String(name)} ${JSON.stringify(args ?? {})}` } }],
      }),
      'skills/list': params => this.#page('skills', this.skills, params),
      'skills/get': ({ uri }) => ({
        skill:
          this.skills.find(skill => recordOf(skill)['uri'] === uri) ?? refuse(`No skill is served at ${String(uri)}`),
      }),
      'resources/read': ({ uri }) => ({
        contents: [
          { uri, mimeType: 'text/markdown', text: this.files.get(String(uri)) ?? refuse(`There is no ${String(uri)}`) },
        ],
      }),
    }
  }

  /** Settles when the method is called the next time. */
  whenAsked(method: string): Promise<void> {
    return new Promise(tell => {
      this.#watchers.push({ method, tell })
    })
  }

  /** Serves a skill with a correct entry. `files` are by path; frontmatter is written as JSON values. */
  putSkill(path: string, frontmatter: Params, body: string, files: Readonly<Record<string, string>> = {}): void {
    const root = `skill://${path}`
    const manifest = `---\n${Object.entries(frontmatter)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join('\n')}\n---\n${body}`
    const all = { 'SKILL.md': manifest, ...files }
    for (const [file, content] of Object.entries(all)) this.files.set(`${root}/${file}`, content)
    const entry = {
      uri: `${root}/SKILL.md`,
      frontmatter,
      resources: Object.entries(all).map(([file, content]) => ({
        uri: `${root}/${file}`,
        digest: digestOf(content),
        size: Buffer.byteLength(content),
      })),
    }
    this.removeSkill(path)
    this.skills.push(entry)
  }

  removeSkill(path: string): void {
    this.skills = this.skills.filter(skill => recordOf(skill)['uri'] !== `skill://${path}/SKILL.md`)
  }

  removePrompt(name: string): void {
    this.prompts = this.prompts.filter(prompt => recordOf(prompt)['name'] !== name)
  }

  /** Listens on a port of the loopback. Returns its address and a function that ends it. */
  async listen(): Promise<{ readonly url: string; close(): Promise<void> }> {
    const server = createServer((request, response) => this.handle(request, response))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    return {
      url: `http://127.0.0.1:${address.port}/mcp`,
      close: () =>
        new Promise(resolve => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    void this.#respond(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  }

  /** Makes a transport to this server without a network. */
  transport(): Transport {
    const transport: Transport = {
      start: async () => {
        this.#transports.add(transport)
      },
      send: async message => {
        if (!this.#transports.has(transport))
          throw Object.assign(new Error('The connection is over.'), { code: 'CONNECTION_CLOSED' })
        const answer = await this.#answer(message)
        if (answer !== undefined) transport.onmessage?.(answer)
      },
      close: async () => {
        if (this.#transports.delete(transport)) transport.onclose?.()
      },
    }
    return transport
  }

  /** Number of open transports. */
  get connections(): number {
    return this.#transports.size
  }

  notify(method: string): void {
    for (const { onmessage } of this.#transports) onmessage?.({ jsonrpc: '2.0', method })
  }

  /** Closes every connection, as if the server had crashed. */
  async die(): Promise<void> {
    for (const transport of this.#transports) await transport.close()
  }

  #page(key: string, all: readonly unknown[], { cursor }: Params): unknown {
    const from = cursor === undefined ? 0 : Number(cursor)
    const to = from + this.pageSize
    return { [key]: all.slice(from, to), ...(to < all.length && { nextCursor: String(to) }) }
  }

  async #respond(request: IncomingMessage): Promise<{ readonly status: number; readonly body: string }> {
    if (request.method !== 'POST') return { status: 405, body: '' }
    const message: JSONRPCMessage = JSON.parse(await text(request))
    const answer = await this.#answer(message)
    return answer === undefined ? { status: 202, body: '' } : { status: 200, body: JSON.stringify(answer) }
  }

  async #answer(message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
    if (!('method' in message) || !('id' in message)) return undefined
    const { id, method, params } = message
    this.asked.push(method)
    for (const watcher of this.#watchers) if (watcher.method === method) watcher.tell()
    const answer = this.answers[method]
    if (answer === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
    try {
      return { jsonrpc: '2.0', id, result: recordOf(await answer({ ...params })) }
    } catch (error) {
      return {
        jsonrpc: '2.0',
        id,
        error: { code: error instanceof Refused ? error.code : -32603, message: String(error) },
      }
    }
  }
}

export function digestOf(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

export function refuse(message: string): never {
  throw new Refused(-32602, message)
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
