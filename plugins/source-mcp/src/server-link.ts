import { compareCodeUnits, SkillsError, withDeadline } from '@skills/core'
import { isConnectionLost, type Connection } from './connection.js'
import { isAllowed } from './is-allowed.js'
import { commandsOf, nothing, type Listed } from './listing.js'
import { placeOf } from './names.js'
import { problem, readOffers, reasonOf, type Offers } from './read-offers.js'
import { asSkillsError, type Requests } from './requests.js'
import { Retries } from './retries.js'
import { ServerConnection } from './server-connection.js'
import { isSame, skipped, type ServerState } from './server-state.js'
import type { ServerLinkOptions } from './server-link-options.js'

/** State of one server: its last list, and the time of the next request. Servers do not affect each other. */
export class ServerLink implements Requests {
  /** Name of the server where the engine identifies files by their paths. */
  readonly place: string
  readonly #connection: ServerConnection
  readonly #retries: Retries
  /** Pending question to the host, shared by all that need the connection, and the number of those that wait for it. */
  #question: Promise<boolean> | undefined
  #questioners = 0
  #asking: { readonly ended: Promise<void>; readonly controller: AbortController } | undefined
  #listed = nothing
  #state: ServerState
  #given: ServerState | undefined
  /** Number of loads that wait for the server. */
  #waiting = 0
  #isStale = false
  #cancelChange: (() => void) | undefined

  constructor(private readonly options: ServerLinkOptions) {
    this.place = placeOf(options.name)
    this.#state = skipped(this.place, 'It has not answered yet.')
    this.#retries = new Retries(options.settings, options.host.clock, () => void this.#ask().ended)
    this.#connection = new ServerConnection({ ...options, onChange: () => this.#changed(), onLost: () => this.#lost() })
  }

  /** True if the server has reported a change of its list since it was read. */
  get isStale(): boolean {
    return this.#isStale
  }

  /** True if the state has changed since it was last returned. */
  get hasNews(): boolean {
    return this.#state !== this.#given
  }

  get state(): ServerState {
    return this.#state
  }

  /** Returns the state, and marks it as returned. */
  take(): ServerState {
    return (this.#given = this.#state)
  }

  /**
   * Requests everything that the server lists. Settles when it has answered or failed, and never rejects. If the last
   * waiting load is aborted, the reading is aborted.
   */
  async ask(signal: AbortSignal): Promise<void> {
    const { ended, controller } = this.#ask()
    const giveUp = (): void => {
      if (this.#waiting === 1) controller.abort(signal.reason)
    }
    this.#waiting++
    signal.addEventListener('abort', giveUp)
    try {
      await ended
    } finally {
      signal.removeEventListener('abort', giveUp)
      this.#waiting--
    }
  }

  /** Lets the load continue without this server. Its place states that, and a later answer is announced. */
  goOn(): void {
    if (this.#asking === undefined) return
    const { place } = this.#state
    if (place.state === 'read')
      this.#become(this.#listed, {
        ...this.#state,
        place: {
          ...place,
          note: 'The server has not answered the latest request yet, so the commands of its previous answer are shown.',
        },
      })
    void this.#asking.ended.then(() => this.#tell())
  }

  async request<T>(
    what: string,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    try {
      if (!this.#connection.isThere) await this.#checkAllowed(signal)
      return await this.#connected(
        connection => this.#connection.run(connection, what, limited => work(connection, limited), signal),
        signal,
      )
    } catch (error) {
      if (signal.aborted || this.#connection.isClosed) throw error
      throw asSkillsError(error, what, this.options.name, reasonOf(error))
    }
  }

  forget(): void {
    this.#isStale = true
    this.options.onNews()
  }

  /** Closes the connection and ends everything that waits. Idempotent. */
  async close(): Promise<void> {
    this.#retries.cancel()
    this.#cancelChange?.()
    await this.#connection.close()
    await this.#asking?.ended
    this.#retries.cancel()
  }

  #ask(): { readonly ended: Promise<void>; readonly controller: AbortController } {
    this.#retries.cancel()
    if (this.#asking !== undefined) return this.#asking
    const controller = new AbortController()
    const ended = this.#read(controller.signal).finally(() => {
      this.#asking = undefined
      this.#tell()
    })
    return (this.#asking = { ended, controller })
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { name, part, settings } = this.options
    try {
      if (!(await this.#answered(() => isAllowed(this.options), signal))) {
        await this.#connection.drop()
        return this.#become(nothing, skipped(this.place, 'The host does not allow it.'))
      }
      const offers = await this.#connected(connection => {
        this.#isStale = false
        return readOffers(name, connection, {
          limited: (what, work) => this.#connection.run(connection, what, work, signal),
          isOver: error => signal.aborted || this.#connection.isClosed || isConnectionLost(error, connection),
        })
      }, signal)
      const listed = commandsOf({
        server: name,
        part,
        offers: this.#completed(offers),
        previous: this.#listed,
        settings,
        requests: this,
      })
      const commands = [...listed.commands.values()]
        .map(({ command }) => command)
        .toSorted((a, b) => compareCodeUnits(a.name, b.name))
      this.#become(listed, {
        commands,
        problems: listed.problems,
        place: { path: this.place, state: 'read', found: commands.length },
      })
    } catch (error) {
      if (!signal.aborted && !this.#connection.isClosed) this.#failed(error)
    }
  }

  /**
   * Uses the connection for a read. If the connection turns out to be closed, the read is repeated once with a new one.
   */
  async #connected<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
    const connection = await this.#connection.get(signal)
    try {
      return await work(connection)
    } catch (error) {
      if (signal.aborted || this.#connection.isClosed || !isConnectionLost(error, connection)) throw error
      // Another call may have connected meanwhile.
      if (!this.#connection.isThere) await this.#checkAllowed(signal)
      return work(await this.#connection.get(signal))
    }
  }

  /**
   * Asks the host again before a connection outside of a listing, because it may not allow the server any more. The
   * listed commands are removed by the next listing.
   */
  async #checkAllowed(signal: AbortSignal): Promise<void> {
    this.#questioners++
    try {
      if (await this.#answered(() => (this.#question ??= this.#askHost()), signal)) return
    } finally {
      // A question for which no call waits may never be answered, so the next call asks again.
      if (--this.#questioners === 0) this.#question = undefined
    }
    throw new SkillsError('E_DENIED', `The host does not allow the MCP server "${this.options.name}".`, {
      hint: 'Allow it, then list the commands again.',
    })
  }

  async #askHost(): Promise<boolean> {
    const isYes = await isAllowed(this.options)
    if (!isYes && !this.#connection.isClosed) this.forget()
    return isYes
  }

  /** Waits for an answer. A person may never answer, so an aborted load and the end of the engine stop the wait. */
  #answered(ask: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    return withDeadline(ask, { signals: [signal, this.#connection.closing] })
  }

  /**
   * Returns the server's offers. If its skills could not be listed, the last ones are kept while they may come back.
   */
  #completed(offers: Offers): Offers {
    if (offers.withoutSkills === undefined) {
      this.#retries.succeeded()
      return offers
    }
    const { name } = this.options
    const { mayComeBack, hint } = this.#planned()
    const kept = mayComeBack
      ? [...this.#listed.commands.values()].map(({ offer }) => offer).filter(({ kind }) => kind === 'skill')
      : []
    const said = problem(
      name,
      'mcp-server-failed',
      undefined,
      `The skills of the MCP server "${name}" cannot be listed: ${offers.withoutSkills}.`,
      hint,
    )
    return { offers: [...offers.offers, ...kept], problems: [...offers.problems, said] }
  }

  #planned(): { readonly mayComeBack: boolean; readonly hint: string } {
    const mayComeBack = this.#retries.plan()
    return {
      mayComeBack,
      hint: mayComeBack
        ? 'The server is tried again automatically.'
        : 'The server is not tried again until the commands are listed again.',
    }
  }

  #failed(error: unknown): void {
    const { name } = this.options
    const { commands, place, problems } = this.#state
    const { mayComeBack, hint } = this.#planned()
    // It failed before. Another failure, for any reason, is not reported again.
    if (place.state === 'unreadable' && problems[0]?.hint === hint) return
    // Its last commands stay while it may come back, so that a restart of the server changes nothing for its users.
    const kept = mayComeBack ? commands : []
    this.#become(mayComeBack ? this.#listed : nothing, {
      commands: kept,
      place: { path: this.place, state: 'unreadable', found: kept.length },
      problems: [
        problem(name, 'mcp-server-failed', undefined, `The MCP server "${name}" failed: ${reasonOf(error)}.`, hint),
      ],
    })
  }

  /** Replaces the state unless it is the same, so that no change is announced that did not happen. */
  #become(listed: Listed, state: ServerState): void {
    this.#listed = listed
    if (!isSame(state, this.#state)) this.#state = state
  }

  /** Announces a change, unless calls wait for the server, which learn of it anyway. */
  #tell(): void {
    if (this.hasNews && this.#waiting === 0 && !this.#connection.isClosed) this.options.onNews()
  }

  /** Marks the list as out of date. Several changes within a short time count as one. */
  #changed(): void {
    this.#isStale = true
    if (this.#cancelChange !== undefined || this.#connection.isClosed) return
    this.#cancelChange = this.options.host.clock.after(this.options.settings.changeMs, () => {
      this.#cancelChange = undefined
      this.options.onNews()
    })
  }

  #lost(): void {
    // A reading in progress fails by itself.
    if (this.#asking !== undefined) return
    const { name, report } = this.options
    const hint = this.#retries.plan()
      ? 'The connection is opened again automatically.'
      : 'The connection is opened again when one of its commands is invoked.'
    report({
      ...problem(name, 'mcp-server-lost', undefined, `The connection to the MCP server "${name}" ended.`, hint),
      severity: 'warning',
    })
  }
}
