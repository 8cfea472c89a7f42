import {
  defineProvider,
  loadResult,
  messageOf,
  promptCommand,
  SkillsError,
  withDeadline,
  type LoadResult,
  type Provider,
  type SetupContext,
  type Source,
} from '@skills/core'
import type { MemoryConnection, MemoryRemote } from './memory-remote.js'

export type Server = Pick<MemoryRemote, 'connect'>

/** Makes a source of a server in memory that keeps every rule. */
export function remoteSource(remote: Server): Provider<'source'> {
  return defineProvider({
    kind: 'source',
    id: 'remote',
    async setup(ctx): Promise<Source> {
      const link = new Link(remote, ctx)
      await ctx.effect('the connection', () => () => link.close())
      return { source: 'remote', list: ({ signal }) => link.list(signal) }
    },
  })
}

/** Keeps the skills of one server up to date. */
class Link {
  readonly #remote: Server
  readonly #ctx: SetupContext
  #connection: MemoryConnection | undefined
  #heads: readonly { readonly name: string; readonly description: string }[] = []
  #problem: string | undefined
  #isClosed = false
  #retryMs = 100
  #cancel = (): void => {}
  #first: Promise<void> | undefined
  #given = ''

  constructor(remote: Server, ctx: SetupContext) {
    this.#remote = remote
    this.#ctx = ctx
  }

  /** Waits a short time for the first answer. A later answer invalidates the catalog. */
  async list(signal: AbortSignal): Promise<LoadResult> {
    this.#first ??= this.#connect()
    const answered = this.#connection === undefined ? this.#first : this.#read(this.#connection)
    const isLate = await withDeadline(
      async () => {
        let cancel = (): void => {}
        const late = new Promise<true>(resolve => {
          cancel = this.#ctx.host.clock.after(150, () => resolve(true))
        })
        return Promise.race([answered, late]).finally(() => cancel())
      },
      { signals: [signal] },
    )
    this.#given = this.#now()
    const problem = this.#problem
    return loadResult({
      commands: this.#heads.map(({ name, description }) =>
        promptCommand({ name, source: 'remote', description, load: (_args, call) => this.#load(name, call.signal) }),
      ),
      errors:
        problem === undefined
          ? []
          : [{ severity: 'error', type: 'io', code: 'remote', provider: 'remote', message: problem }],
      incomplete: isLate === true ? 'The server has not answered yet.' : undefined,
    })
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#connection?.close()
  }

  async #load(
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly blocks: readonly { readonly type: 'text'; readonly text: string }[] }> {
    const connection = this.#connection
    if (connection === undefined) throw new SkillsError('E_INVALID_SKILL', `The server of "${name}" does not answer.`)
    try {
      const text = await withDeadline(() => connection.body(name), { signals: [signal] })
      return { blocks: [{ type: 'text', text }] }
    } catch (error) {
      if (signal.aborted) throw error
      throw new SkillsError('E_INVALID_SKILL', `The server of "${name}" does not answer: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  async #connect(): Promise<void> {
    try {
      const connection = await this.#remote.connect()
      if (this.#isClosed) return connection.close()
      connection.onEnd = () => this.#lost('The server has died.')
      connection.onNews = () => void this.#read(connection)
      this.#connection = connection
      await this.#read(connection)
    } catch (error) {
      this.#lost(messageOf(error))
    }
  }

  async #read(connection: MemoryConnection): Promise<void> {
    const heads = await connection.index().catch(() => undefined)
    if (heads === undefined || connection !== this.#connection) return
    if (!Array.isArray(heads)) {
      connection.close()
      return this.#lost('The server answers with garbage.')
    }
    this.#heads = heads.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
    this.#problem = undefined
    this.#retryMs = 100
    this.#news()
  }

  #lost(problem: string): void {
    this.#connection = undefined
    this.#problem = problem
    if (this.#isClosed) return
    this.#cancel()
    this.#cancel = this.#ctx.host.clock.after(this.#retryMs, () => void this.#connect())
    this.#retryMs = Math.min(2 * this.#retryMs, 60_000)
    this.#news()
  }

  #news(): void {
    if (this.#now() !== this.#given) this.#ctx.invalidate()
  }

  #now(): string {
    return JSON.stringify([this.#heads, this.#problem])
  }
}
