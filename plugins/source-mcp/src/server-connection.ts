import { SkillsError, withDeadline, type Diagnostic, type Host } from '@skills/core'
import { isConnectionLost, isUnanswered, openConnection, type Connection } from './connection.js'
import { problem, reasonOf } from './read-offers.js'
import type { McpServer, McpSettings } from './options.js'

export interface ServerConnectionOptions {
  readonly name: string
  readonly server: McpServer
  readonly settings: McpSettings
  readonly host: Host
  report(diagnostic: Diagnostic): void
  /** Told when the server says that what it lists has changed. */
  onChange(): void
  /** Called when the server or the network ended a connection. */
  onLost(): void
}

/** The one connection to a server: made when it is first needed, and again when it was lost. */
export class ServerConnection {
  readonly #closing = new AbortController()
  readonly #open = new Set<Connection>()
  readonly #opening = new Set<Promise<Connection>>()
  #current: Promise<Connection> | undefined
  #isOld = false

  constructor(private readonly options: ServerConnectionOptions) {}

  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Aborts when nothing is to be waited for any more. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Whether there is a connection, or one is being made. */
  get isThere(): boolean {
    return this.#current !== undefined
  }

  /** The connection there is, or a new one; a caller that gives up waiting leaves it to the others. */
  get(signal: AbortSignal): Promise<Connection> {
    return withDeadline(() => this.#current ?? this.#connect(), { signals: [signal, this.#closing.signal] })
  }

  /** Runs one request under its time limit. A connection that turns out to be over is forgotten. */
  async run<T>(
    connection: Connection,
    what: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { name, settings, host } = this.options
    const limit = { ms: settings.requestMs, clock: host.clock, what: `${what} from the MCP server "${name}"` }
    try {
      return await withDeadline(work, { signals: [signal, this.#closing.signal], limit }).catch(hinting('requestMs'))
    } catch (error) {
      if (isConnectionLost(error, connection) && (await this.#forget(connection))) await connection.close()
      throw error
    }
  }

  /** Ends the connection there is, as if there had been none. */
  async drop(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    const connection = await current?.catch(() => undefined)
    await connection?.close()
  }

  /** Ends every connection and every attempt at one. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(new SkillsError('E_CLOSED', 'The engine was closed.'))
    await Promise.allSettled([...this.#open].map(connection => connection.close()))
    // What was on its way ends what it had started by itself.
    await Promise.allSettled(this.#opening)
  }

  #connect(): Promise<Connection> {
    const { name, settings, host } = this.options
    const limit = { ms: settings.connectMs, clock: host.clock, what: `Connecting to the MCP server "${name}"` }
    const connecting = withDeadline(signal => this.#opened(signal), { signals: [this.#closing.signal], limit }).catch(
      hinting('connectMs'),
    )
    this.#current = connecting
    connecting.then(
      connection => {
        this.#open.add(connection)
        void connection.closed.then(() => this.#ended(connection))
      },
      () => {
        if (this.#current === connecting) this.#current = undefined
      },
    )
    return connecting
  }

  #opened(signal: AbortSignal): Promise<Connection> {
    const opening = this.#attempt(signal)
    const end = (): void => void this.#opening.delete(opening)
    this.#opening.add(opening)
    opening.then(end, end)
    return opening
  }

  async #attempt(signal: AbortSignal): Promise<Connection> {
    const { server, settings, host, name, report, onChange } = this.options
    let isTold = false
    const onProblem = (error: Error): void => {
      if (isTold || this.isClosed) return
      isTold = true
      report({
        ...problem(
          name,
          'mcp-connection-problem',
          undefined,
          `Something on the connection to the MCP server "${name}" is no message, or did not arrive: ${reasonOf(error)}.`,
        ),
        severity: 'warning',
      })
    }
    const open = (): Promise<Connection> =>
      openConnection({ server, settings, host, isOld: this.#isOld, onChange, onProblem }, signal)
    try {
      return await open()
    } catch (error) {
      // Some servers end when they are asked which protocol they speak: they are asked as servers always were.
      if (this.#isOld || signal.aborted || !('command' in server) || !isUnanswered(error)) throw error
      this.#isOld = true
      return open().catch((failure: unknown) => {
        // That was not why it ended.
        this.#isOld = false
        throw failure
      })
    }
  }

  async #ended(connection: Connection): Promise<void> {
    this.#open.delete(connection)
    if ((await this.#forget(connection)) && !this.isClosed) this.options.onLost()
  }

  /** Whether it was the connection in use. */
  async #forget(connection: Connection): Promise<boolean> {
    const current = this.#current
    if (current === undefined || (await current.catch(() => undefined)) !== connection || this.#current !== current)
      return false
    this.#current = undefined
    return true
  }
}

/** Hands a failure on; a time limit is said with the option that it is. */
function hinting(option: 'connectMs' | 'requestMs'): (error: unknown) => never {
  return error => {
    if (!SkillsError.is(error) || error.code !== 'E_TIMEOUT') throw error
    const [what = error.message] = error.message.split(/(?<= ms\.) /)
    throw new SkillsError('E_TIMEOUT', what, {
      hint: `Give it a higher ${option}, or look at what the server waits for.`,
      cause: error,
    })
  }
}
