import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { Rate } from './rate.js'
import type { Clock } from '@skills/core'
import type { ClientSession } from './client-session.js'
import type { SettledHttp } from './http-options.js'
import type { SkillsServer } from './skills-server.js'

/** Session of the protocol before 2026: the state of a client between its requests. */
export interface HttpSession {
  readonly person: string
  readonly client: ClientSession
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly rate: Rate
  /** Number of its requests in progress. */
  open: number
}

/** Sessions of all clients. Each ends when its client ends it, or after a time without requests. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>()
  readonly #expiries = new Map<string, () => void>()
  /** Number of sessions that have begun and have no id yet. */
  #beginning = 0

  constructor(
    private readonly server: SkillsServer,
    private readonly options: SettledHttp,
    private readonly clock: Clock,
  ) {}

  get isFull(): boolean {
    return this.#sessions.size + this.#beginning >= this.options.maxSessions
  }

  /** Finds a session of a person. Another person's id is treated like an unknown one. */
  find(id: string, person: string): HttpSession | undefined {
    const session = this.#sessions.get(id)
    return session?.person === person ? session : undefined
  }

  /** Keeps a session alive during a request. Returns a function to call at the end of the request. */
  use(id: string): () => void {
    const session = this.#sessions.get(id)
    if (session === undefined) return () => {}
    session.open++
    this.#expiries.get(id)?.()
    this.#expiries.delete(id)
    return () => {
      session.open--
      if (session.open === 0) this.#expireLater(id)
    }
  }

  /** Begins a session for a client that sends an initialize request. The answer contains its id. */
  async begin(person: string): Promise<HttpSession> {
    this.#beginning++
    const client = this.server.client()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.options.maxBodyBytes,
      onsessioninitialized: id => {
        this.#sessions.set(id, session)
        this.#expireLater(id)
      },
      onsessionclosed: id => this.end(id),
    })
    const { requestsPerSecond, maxOpen } = this.options
    const session = { person, client, transport, rate: new Rate(this.clock, requestsPerSecond, maxOpen), open: 0 }
    await this.server.protocolServer(client).connect(transport)
    return session
  }

  /** Called after the answer to an initialize request. If that was refused, the session is closed. */
  async begun(session: HttpSession): Promise<void> {
    this.#beginning--
    if (session.transport.sessionId === undefined) await this.#close(session)
  }

  async end(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    this.#expiries.get(id)?.()
    this.#expiries.delete(id)
    if (this.#sessions.delete(id) && session !== undefined) await this.#close(session)
  }

  async close(): Promise<void> {
    for (const id of this.#sessions.keys()) await this.end(id)
  }

  async #close({ client, transport }: HttpSession): Promise<void> {
    await this.server.leave(client)
    await transport.close()
  }

  #expireLater(id: string): void {
    if (!this.#sessions.has(id)) return
    this.#expiries.get(id)?.()
    this.#expiries.set(
      id,
      this.clock.after(this.options.sessionMs, () => void this.end(id)),
    )
  }
}
