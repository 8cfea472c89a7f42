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
  /** Called when the server reports that its list has changed. */
  onChange(): void
  /** Called when the server or the network ended a connection. */
  onLost(): void
}

/** Single connection to a server. The connection is made when it is first needed, and made again after it was lost. */
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

  /** Aborts when it is closed, and nothing has to be waited for. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** True if there is a connection, or one is being made. */
  get isThere(): boolean {
    return this.#current !== undefined
  }

  /** Returns the connection, or a new one. A caller that is aborted does not affect others. */
  get(signal: AbortSignal): Promise<Connection> {
    return withDeadline(() => this.#current ?? this.#connect(), { signals: [signal, this.#closing.signal] })
  }

  /** Runs one request within its time limit. A connection that turns out to be closed is dropped. */
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

  /** Closes the current connection. */
  async drop(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    const connection = await current?.catch(() => undefined)
    await connection?.close()
  }

  /** Closes every connection and aborts every attempt. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(new SkillsError('E_CLOSED', 'The engine was closed.'))
    await Promise.allSettled([...this.#open].map(connection => connection.close()))
    // An attempt in progress closes what it opened by itself.
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
          `The connection to the MCP server "${name}" delivered something that is not a message, or lost a message: ${reasonOf(error)}.`,
        ),
        severity: 'warning',
      })
    }
    const open = (): Promise<Connection> =>
      openConnection({ server, settings, host, isOld: this.#isOld, onChange, onProblem }, signal)
    try {
      return await open()
    } catch (error) {
      // Some servers end when they are asked for their protocol version. They get the old handshake.
      if (this.#isOld || signal.aborted || !('command' in server) || !isUnanswered(error)) throw error
      this.#isOld = true
      return open().catch((failure: unknown) => {
        // The server ended for another reason.
        this.#isOld = false
        throw failure
      })
    }
  }

  async #ended(connection: Connection): Promise<void> {
    this.#open.delete(connection)
    if ((await this.#forget(connection)) && !this.isClosed) this.options.onLost()
  }

  /** Drops a connection. Returns true if it was the current one. */
  async #forget(connection: Connection): Promise<boolean> {
    const current = this.#current
    if (current === undefined || (await current.catch(() => undefined)) !== connection || this.#current !== current)
      return false
    this.#current = undefined
    return true
  }
}

/** Rethrows a failure. A timeout gets the name of the option in its hint. */
function hinting(option: 'connectMs' | 'requestMs'): (error: unknown) => never {
  return error => {
    if (!SkillsError.is(error) || error.code !== 'E_TIMEOUT') throw error
    const [what = error.message] = error.message.split(/(?<= ms\.) /)
    throw new SkillsError('E_TIMEOUT', what, {
      hint: `Raise ${option}, or find out what the server waits for.`,
      cause: error,
    })
  }
}
