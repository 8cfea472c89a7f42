import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { Rate } from './rate.js'
import type { Clock } from '@skills/core'
import type { ClientSession } from './client-session.js'
import type { SettledHttp } from './http-options.js'
import type { SkillsServer } from './skills-server.js'

/** A session of the protocol before 2026: what stays of a client between its requests. */
export interface HttpSession {
  readonly person: string
  readonly client: ClientSession
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly rate: Rate
  /** Requests of it that are under way. */
  open: number
}

/** The sessions of all clients. Each ends when its client says so, or when nothing was asked in it for a time. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>()
  readonly #expiries = new Map<string, () => void>()
  /** Begun, and not known by an id yet. */
  #beginning = 0

  constructor(
    private readonly server: SkillsServer,
    private readonly options: SettledHttp,
    private readonly clock: Clock,
  ) {}

  get isFull(): boolean {
    return this.#sessions.size + this.#beginning >= this.options.maxSessions
  }

  /** Whose id is another person's is as unknown as one that is made up. */
  find(id: string, person: string): HttpSession | undefined {
    const session = this.#sessions.get(id)
    return session?.person === person ? session : undefined
  }

  /** While a request is under way its session does not end. Gives what is called when the request has ended. */
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

  /** A session for a client that says hello, whose id it is given with the answer. */
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

  /** After the answer to a hello: one that was refused leaves nothing behind. */
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
