import type { IQueueBackend, PgPool, PgQueryResult, PostgresConnection as BullmqConnection } from 'bullmq'
import type { Client, Pool } from 'pg'

type PgListenClient = Awaited<ReturnType<BullmqConnection['getListenClient']>>

/** Connections of a process, which BullMQ uses together with the journals. */
export interface SharedConnections {
  readonly pool: Pool
  /** Schema of BullMQ's tables. */
  readonly schema: string
  readonly writers: JobWriters
  /** Sends a request again while the server has no free connection. */
  waiting<T>(ask: () => Promise<T>): Promise<T>
  /** Returns the connection that notices arrive on. */
  listener(): Promise<Client>
  /** Calls the function when that connection was lost. */
  onLost(lost: () => void): void
  /** Returns the milliseconds by which the server's clock is ahead of this host's. */
  aheadMs(): number
}

/** Text and values with which a job is added. */
export interface AddingJob {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Smallest number that BullMQ passes as a time, in milliseconds. Its other numbers are durations and counts. */
const smallestTime = 1e12

/** Adds jobs in the same statements as the first entries of their runs. */
export class JobWriters {
  /** Functions that execute such a statement, by the ids of the jobs. Two callers may submit the same run. */
  readonly #writers = new Map<unknown, ((job: AddingJob) => Promise<unknown>)[]>()

  /** Calls `add`, which adds a job, and has `write` execute the statement by which the job is added. */
  async adding(id: string, write: (job: AddingJob) => Promise<unknown>, add: () => Promise<unknown>): Promise<void> {
    this.#writers.set(id, [...(this.#writers.get(id) ?? []), write])
    try {
      await add()
    } finally {
      this.#take(id, write)
    }
  }

  /** Returns the function that executes the statement of a job, once. */
  next(id: unknown): ((job: AddingJob) => Promise<unknown>) | undefined {
    const [first] = this.#writers.get(id) ?? []
    if (first !== undefined) this.#take(id, first)
    return first
  }

  #take(id: unknown, write: (job: AddingJob) => Promise<unknown>): void {
    const others = this.#writers.get(id)?.filter(other => other !== write) ?? []
    if (others.length > 0) this.#writers.set(id, others)
    else this.#writers.delete(id)
  }
}

/**
 * Returns BullMQ's classes over the connections of this process. Its statements are prepared once a connection, use the
 * clock of the server, and return the journal of a run together with its job. Otherwise a worker whose clock is ahead
 * would take jobs from workers that renew their locks.
 */
export async function jobsOver(shared: SharedConnections) {
  const { PostgresConnection, PostgresQueueBackend, withBackend } = await import('bullmq')

  class SharedConnection extends PostgresConnection {
    override readonly schema = shared.schema

    constructor() {
      super(poolFor(shared))
      shared.onLost(() => this.emit('listenerinvalidated'))
    }

    override getListenClient(): Promise<PgListenClient> {
      return shared.listener() as Promise<object> as Promise<PgListenClient>
    }
  }

  const connection = {}
  const classes = withBackend<IQueueBackend, object>(
    (name, options) => new PostgresQueueBackend(new SharedConnection(), name, options as never),
  )
  return { ...classes, connection }
}

/** Pool as BullMQ uses it. */
function poolFor({
  pool,
  schema,
  writers,
  waiting,
  aheadMs,
}: SharedConnections): PgPool & { readonly options: object } {
  const query = async (text: string, given: readonly unknown[] = []): Promise<PgQueryResult> => {
    const ahead = aheadMs()
    const values = given.map(value => (typeof value === 'number' && value > smallestTime ? value + ahead : value))
    if (/^SELECT add_job\(/m.test(text)) {
      const [, id] = values
      const write = writers.next(id)
      if (write !== undefined) {
        await write({ text, values })
        return { rows: [{ id }] }
      }
    }
    const isClaim = /^SELECT \* FROM move_to_(?:active|completed_fetch)\(/m.test(text)
    // The function reads what was committed before it is called, and jobs are committed after their runs.
    const all = isClaim
      ? `select job.*, "${schema}".run_lines(job.data ->> 'run') as lines from (${withoutEnd(text)}) as job`
      : text
    const found = await waiting(() => pool.query({ name: nameOf(text), text: all, values }))
    for (const row of found.rows as Record<string, unknown>[]) {
      // The worker compares it with its own clock, to wait until then.
      if (row['next_delay'] !== undefined && row['next_delay'] !== null)
        row['next_delay'] = String(Number(row['next_delay']) - ahead)
      if (isClaim && row['data'] instanceof Object) row['data'] = { ...row['data'], lines: row['lines'] }
    }
    return found
  }
  const through: PgPool & { readonly options: object } = {
    query: query as PgPool['query'],
    connect: () => waiting(() => pool.connect()) as ReturnType<PgPool['connect']>,
    // The server closes the pool, because journals use it too.
    end: async () => {},
    on(event: string, listener: (given: never) => void) {
      pool.on(event as 'error', listener as (error: Error) => void)
      return through
    },
    removeAllListeners: () => through,
    options: pool.options,
  }
  return through
}

/**
 * Makes the statement that returns the active jobs of a queue, as BullMQ does with a request for each.
 * @param schema name in quotes
 */
export const activeJobs = (schema: string): string =>
  `select id, data, progress, attempts_started as "attemptsStarted", stalled_count as "stalledCounter",
     processed_at_ms::float8 as "processedOn" from ${schema}.job where queue = $1 and state = 'active'`

/**
 * Makes the statement that returns the first jobs that none of some keys counts and that wait behind one that is counted.
 * @param schema name in quotes
 */
export const passingJobs = (schema: string): string =>
  `with waiting as (
     select id, priority, seq, array['tenant ' || (data ->> 'tenant'), 'model ' || coalesce(data ->> 'model', '')] && $2
       as is_counted from ${schema}.job where queue = $1 and state = 'waiting')
   select id from waiting where not is_counted and (priority, seq) >
     (select priority, seq from waiting where is_counted order by priority, seq limit 1)
   order by priority, seq limit $3`

/** Returns a statement without its end, to be used within another one. */
export const withoutEnd = (text: string): string => text.replace(/;\s*$/, '\n')

/** Names of prepared statements, which a server limits to 63 characters. */
const names = new Map<string, string>()
function nameOf(text: string): string {
  const name = names.get(text) ?? `job ${names.size}`
  names.set(text, name)
  return name
}
