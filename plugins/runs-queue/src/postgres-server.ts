import {
  isSettling,
  isToLast,
  type IndexedRuns,
  type RunChanged,
  type RunFacts,
  type RunFilter,
} from '@skills/runs/internal'
import type { RunEntry, RunLogs } from '@skills/runs'
import { postgresProblems } from './durability.js'
import { factColumns, factsFrom, factValues, findingRuns, learningFacts } from './postgres-index.js'
import { postgresMigrations } from './postgres-migrations.js'
import {
  activeJobs,
  jobsOver,
  JobWriters,
  passingJobs,
  withoutEnd,
  type AddingJob,
  type SharedConnections,
} from './postgres-jobs.js'
import { installed, queueError, tooNew } from './queue-error.js'
import {
  deadlineIn,
  isOpenAfter,
  isQueueing,
  needsJob,
  patiently,
  repeated,
  wakingMs,
  Watchers,
  type ActiveJob,
  type BullmqJobs,
  type BullmqServer,
  type BullmqWorker,
  type JobData,
  type Place,
  type ServerOptions,
} from './bullmq-server.js'
import type { Client, Pool, PoolConfig } from 'pg'

/**
 * Version of the tables. It is raised only for a change with which earlier workers cannot work; they then reject with
 * `E_QUEUE_VERSION`. Other changes are migrations.
 */
const version = 1

/**
 * Most connections of one process, for journals and jobs together. One more listens. Idle ones are closed after 10 s.
 */
const mostConnections = 2
/** Most bytes of a notice that carries entries. PostgreSQL allows 7,999. */
const mostNoticed = 7_900
/** Milliseconds in which the notices of begun and finished steps are collected. */
const tellMs = 250

/** Limits of a connection, in milliseconds. A request without an answer is sent again on another connection. */
const limits = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/** Journals in two tables. Their schema, which nothing else uses, also has the tables of BullMQ. */
export class PostgresServer implements BullmqServer, RunLogs {
  readonly logs = this
  readonly #watchers = new Watchers()
  /** Name in quotes. */
  readonly #schema: string
  #pool: Pool | undefined
  #listening: Promise<Client | undefined> | undefined
  #listener: Client | undefined
  readonly #lost = new Set<() => void>()
  /** Runs whose last entries no other process was told about. */
  readonly #untold = new Set<string>()
  #stopTelling: (() => void) | undefined
  /** Requests that are not answered yet. */
  readonly #asked = new Set<Promise<unknown>>()
  readonly #writers = new JobWriters()
  #isClosed = false
  #stopLooking: (() => void) | undefined
  /** Milliseconds by which the server's clock is ahead of this host's. */
  #offset = 0
  #ending: Promise<void> | undefined

  constructor(
    private readonly config: PoolConfig,
    private readonly options: ServerOptions,
  ) {
    this.#schema = `"${options.name}"`
  }

  async open(): Promise<void> {
    const { default: pg } = await installed('pg', () => import('pg'))
    const bullmq = await installed('bullmq', () => import('bullmq'))
    // A job need not wait for the server's disk: the journal does, and a run whose job was lost gets another one.
    const own = `-c synchronous_commit=off -c search_path=${this.#schema}`
    const options = [this.config.options, own].filter(Boolean).join(' ')
    const pool = new pg.Pool({ ...limits, ...this.config, options, max: mostConnections })
    // A connection that the server ends while it is idle is opened again.
    pool.on('error', () => {})
    // One that is in use rejects its requests. Without a listener its event would end the process.
    pool.on('connect', client => void client.on('error', () => {}))
    let isReached = false
    try {
      // A server that is full, starts or restarts is there again after a moment. One that was never reached is told at once.
      const isToCome = (error: unknown): boolean => !this.#isClosed && isAway(error) && (isReached || isAnswer(error))
      await patiently(this.options, isToCome, async () => {
        const client = await pool.connect()
        isReached = true
        let isWhole = false
        try {
          await bullmq.runMigrations(client, this.options.name)
          await this.#makeTables(client)
          await this.#compareClocks(client)
          const { rows } = await client.query<{ fsync: string }>(`select current_setting('fsync') as fsync`)
          for (const row of rows) postgresProblems(row).forEach(this.options.onDiagnostic)
          isWhole = true
        } finally {
          client.release(!isWhole)
        }
      })
      this.#pool = pool
    } catch (error) {
      await pool.end()
      if (error instanceof bullmq.SchemaVersionMismatchError) throw tooNew(error.message, error)
      throw queueError('The queue cannot be opened', error)
    }
  }

  async queue(name: string): Promise<BullmqJobs> {
    const { Queue, connection } = await jobsOver(this.#shared())
    return new Queue<JobData, void, 'run'>(name, { connection })
  }

  async worker(...[name, work, options]: Parameters<BullmqServer['worker']>): Promise<BullmqWorker> {
    const { Worker, connection } = await jobsOver(this.#shared())
    return new Worker<JobData, void, 'run'>(name, work, { ...options, connection })
  }

  #shared(): SharedConnections {
    const pool = this.#pool
    if (pool === undefined) throw new Error('The queue is not open.')
    return {
      pool,
      schema: this.options.name,
      writers: this.#writers,
      waiting: ask => patiently(this.options, error => !this.#isClosed && isFull(error), ask),
      listener: () => this.#listenerNow(),
      onLost: lost => this.#lost.add(lost),
      aheadMs: () => this.#offset,
    }
  }

  append(...[id, count, lines, entries, facts]: Parameters<RunLogs['append']>): Promise<boolean> {
    const statement = this.#appending(id, count, lines, entries, facts)
    return this.#ask(`The journal of the run ${id} could not be written`, async (pool, isAgain) => {
      const isWritten = (await pool.query(statement)).rowCount === 1
      return isWritten || (isAgain && this.#hasLines(pool, id, count, lines))
    })
  }

  submit(
    id: string,
    job: string,
    lines: readonly string[],
    entries: readonly RunEntry[],
    add: () => Promise<unknown>,
    facts: RunFacts | undefined,
  ): Promise<boolean> {
    return this.#ask(`The journal of the run ${id} could not be written`, async (pool, isAgain) => {
      let isWritten = false
      const write = async (adding: AddingJob): Promise<void> => {
        isWritten = (await pool.query(this.#appending(id, 0, lines, entries, facts, adding))).rowCount === 1
      }
      await this.#writers.adding(job, write, add)
      return isWritten || (isAgain && this.#hasLines(pool, id, 0, lines))
    })
  }

  /** True if these lines were written, although the connection ended before the server confirmed it. */
  async #hasLines(pool: Pool, id: string, count: number, lines: readonly string[]): Promise<boolean> {
    const written = await this.#lines(pool, id, count)
    return written.slice(0, lines.length).join('\n') === lines.join('\n')
  }

  /** Makes the statement that appends entries, together with the job of a new run. */
  #appending(
    id: string,
    count: number,
    lines: readonly string[],
    entries: readonly RunEntry[],
    facts: RunFacts | undefined,
    job?: AddingJob,
  ): { readonly name: string; readonly text: string; readonly values: unknown[] } {
    const [schema, channel] = [this.#schema, `${this.options.name}_runs`]
    // Entries that can be computed again by asking the model need not wait for the server's disk.
    const mode = entries.some(entry => isToLast(entry) || isDurable.has(entry.type)) ? 'on' : 'off'
    const isEnd = entries.some(({ type }) => type === 'ended')
    const values: unknown[] = [
      id,
      count,
      lines,
      isOpenAfter(entries),
      isQueueing(entries),
      mode,
      this.#watchers.noticeOf(entries),
      job === undefined && needsJob(entries),
      count === 0 ? deadlineIn(entries) : isEnd,
      ...factValues(facts),
    ]
    const moved =
      count === 0
        ? `insert into ${schema}.run (id, entries, is_open, has_job, deadline_at, facts_at, ${factColumns})
           select $1, cardinality($3::text[]), $4, not $8, clock_timestamp() + $9::float8 * interval '1 millisecond',
             cardinality($3::text[]), ${factsFrom(10)}
           from mode where $2 = 0 and $5::bool is not null and $7 <> ''
           on conflict do nothing returning id`
        : `update ${schema}.run set entries = $2 + cardinality($3::text[]), is_open = $4,
             queued_at = case when $5 then clock_timestamp() else queued_at end,
             has_job = case when $5 then not $8 else has_job end,
             deadline_at = case when $9 then null else deadline_at end,
             facts_at = $2 + cardinality($3::text[]), (${factColumns}) = row (${factsFrom(10)})
           from mode where id = $1 and entries = $2 and $7 <> '' returning id`
    const { kind, told, others = [] } = this.#telling(id, count, entries, channel, values.length + 1)
    values.push(...others)
    const added = job && withoutEnd(job.text).replaceAll(/\$(\d+)/g, (_all, at) => `$${Number(at) + values.length}`)
    const text = `with mode as materialized (select set_config('synchronous_commit', $6, true)), moved as (${moved}),
      written as (
        insert into ${schema}.run_entry (run, n, line)
        select id, $2::int + at - 1, line from moved, unnest($3::text[]) with ordinality as lines (line, at))
      select ${added === undefined ? told : `(${added})`} from moved`
    const name = `append ${count === 0} ${kind} ${job !== undefined}`
    return { name, text, values: [...values, ...(job?.values ?? [])] }
  }

  /**
   * Returns how others are told of entries. A process that waits for the end of a run gets the entries with the notice,
   * so that it need not read them. The notices of steps are collected, because the server writes transactions with
   * notices to its disk one by one; the next end of a run brings them.
   * @param next number of the next parameter
   */
  #telling(
    id: string,
    count: number,
    entries: readonly RunEntry[],
    channel: string,
    next: number,
  ): { readonly kind: string; readonly told: string; readonly others?: readonly unknown[] } {
    if (count === 0) return { kind: 'new', told: 'id' }
    if (entries.every(({ type }) => steps.has(type))) {
      this.#untold.add(id)
      this.#stopTelling ??= this.options.clock.after(tellMs, () => void this.#tellSteps())
      return { kind: 'step', told: 'id' }
    }
    this.#untold.delete(id)
    const notice = `pg_notify('${channel}', $7 || id)`
    if (!isSettling(entries)) return { kind: 'other', told: notice }
    const all = `(select coalesce(string_agg(line || e'\\n', '' order by n), '') from ${this.#schema}.run_entry
      where run = $1 and n between 1 and $2 - 1) || array_to_string($3::text[], e'\\n')`
    return {
      kind: 'end',
      // An earlier version does not listen to this channel.
      told: `${notice}, (select pg_notify('${channel}_lines', told.text)
        from (select $7 || id || e'\\n' || ${all} as text) as told where octet_length(told.text) <= ${mostNoticed}),
        (select count(pg_notify('${channel}', $${next} || step)) from unnest($${next + 1}::text[]) as steps (step))`,
      others: [this.#watchers.noticeOf([]), this.#takeUntold()],
    }
  }

  /** Returns the runs of which others have to be told, and forgets them. */
  #takeUntold(): readonly string[] {
    this.#stopTelling?.()
    this.#stopTelling = undefined
    const runs = [...this.#untold]
    this.#untold.clear()
    return runs
  }

  async #tellSteps(): Promise<void> {
    const runs = this.#takeUntold()
    const text = `select pg_notify('${this.options.name}_runs', $1 || id) from unnest($2::text[]) as runs (id)`
    const values = [this.#watchers.noticeOf([]), runs]
    // Who waits for these entries looks at the run after a while.
    if (runs.length > 0) await this.#pool?.query({ name: 'tell', text, values }).catch(() => {})
  }

  read(id: string, from = 0): Promise<readonly string[]> {
    return this.#ask(`The journal of the run ${id} could not be read`, pool => this.#lines(pool, id, from))
  }

  ids(): Promise<readonly string[]> {
    return this.#ask('The runs could not be listed', async pool => {
      const { rows } = await pool.query<{ id: string }>(`select id from ${this.#schema}.run`)
      return rows.map(({ id }) => id)
    })
  }

  indexed(filter: RunFilter): Promise<IndexedRuns> {
    return this.#ask('The runs could not be listed', async pool => {
      const { rows } = await pool.query<{ id: string; known: boolean }>(findingRuns(this.#schema, filter))
      const ids = (isKnown: boolean): readonly string[] => rows.flatMap(row => (row.known === isKnown ? row.id : []))
      return { known: ids(true), unknown: ids(false) }
    })
  }

  async learn(id: string, count: number, facts: RunFacts): Promise<void> {
    await this.#ask(`The facts of the run ${id} could not be written`, pool =>
      pool.query(learningFacts(this.#schema, id, count, facts)),
    )
  }

  removeAll(...[ids, mayRemove]: Parameters<NonNullable<RunLogs['removeAll']>>): Promise<readonly string[]> {
    const read = `select run as id, string_agg(line, e'\\n' order by n) as text from ${this.#schema}.run_entry
      where run = any($1::text[]) group by run having sum(octet_length(line)) < ${longJournal}`
    return this.#ask('The runs could not be removed', async pool => {
      const { rows } = await pool.query<{ id: string; text: string }>(read, [ids])
      const journals = rows.map(({ id, text }) => ({ id, lines: text.split('\n') }))
      const may = await Promise.all(journals.map(({ id, lines }) => mayRemove(id, lines)))
      return this.#removed(
        pool,
        new Map(journals.flatMap(({ id, lines }, at) => (may[at] ? [[id, lines.length]] : []))),
      )
    })
  }

  async mark(): Promise<string> {
    this.#listening ??= this.#listen()
    await this.#listening
    // A change is told of by its notice, except for a submission.
    const text = `select max(submitted_at) as latest from ${this.#schema}.run where state is not null`
    return this.#ask('The runs could not be listed', async pool => {
      const { rows } = await pool.query<{ latest: number | null }>(text)
      return `${this.#watchers.notices} ${rows[0]?.latest ?? ''}`
    })
  }

  async remove(id: string, count: number): Promise<boolean> {
    const removed = await this.#ask(`The run ${id} could not be removed`, pool =>
      this.#removed(pool, new Map([[id, count]])),
    )
    return removed.length > 0
  }

  /** Removes the runs that have these numbers of entries. */
  async #removed(pool: Pool, counts: ReadonlyMap<string, number>): Promise<readonly string[]> {
    const schema = this.#schema
    const text = `with mode as materialized (select set_config('synchronous_commit', 'on', true)),
      gone as (
        delete from ${schema}.run using mode, unnest($1::text[], $2::int[]) as given (run, count)
        where id = any($1::text[]) and id = run and entries = count returning id),
      lines as (delete from ${schema}.run_entry where run = any(array(select id from gone)))
      select id, (select pg_notify('${this.options.name}_runs', $3)) from gone`
    const values = [[...counts.keys()], [...counts.values()], this.#watchers.noticeOf([])]
    return (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id)
  }

  watch(id: string, changed: RunChanged): () => void {
    const stop = this.#watchers.add(id, changed)
    this.#listening ??= this.#listen()
    return stop
  }

  now(): number {
    return this.options.clock.now() + this.#offset
  }

  async added(runs: readonly string[]): Promise<void> {
    const text = `update ${this.#schema}.run set has_job = true where id = any($1::text[]) and not has_job`
    await this.#ask('The jobs could not be recorded', pool => pool.query(text, [runs]))
  }

  late(limit: number): Promise<readonly string[]> {
    const text = `select id from ${this.#schema}.run where deadline_at < clock_timestamp() order by deadline_at limit $1`
    return this.#ask('The runs could not be listed', async pool => {
      const { rows } = await pool.query<{ id: string }>(text, [limit])
      return rows.map(({ id }) => id)
    })
  }

  async forgetDeadlines(runs: readonly string[]): Promise<void> {
    const text = `update ${this.#schema}.run set deadline_at = null where id = any($1::text[])`
    await this.#ask('The deadlines could not be removed', pool => pool.query(text, [runs]))
  }

  left(ms: number, limit: number, isNew: boolean): Promise<readonly string[]> {
    const schema = this.#schema
    const text = `update ${schema}.run set queued_at = clock_timestamp() where id in (
      select id from ${schema}.run where is_open ${isNew ? 'and not has_job' : ''} and queued_at < clock_timestamp() - $1 * interval '1 millisecond'
      order by queued_at limit $2 for update skip locked) returning id`
    return this.#ask('The runs could not be listed', async pool => {
      const { rows } = await pool.query<{ id: string }>(text, [ms, limit])
      return rows.map(({ id }) => id)
    })
  }

  active(queue: string): Promise<readonly ActiveJob[]> {
    return this.#ask('The active jobs could not be read', async pool => {
      const text = activeJobs(this.#schema)
      return (await pool.query<ActiveJob>({ name: 'active', text, values: [queue] })).rows
    })
  }

  async wait(key: string, job: string, order: number): Promise<void> {
    const text = `insert into ${this.#schema}.run_waiting (key, job, since)
      values ($1, $2, to_timestamp($3::float8 / 1000)) on conflict (key, job) do update set woken_at = null`
    await this.#ask(`The job ${job} could not be put back`, pool => pool.query(text, [key, job, order]))
  }

  claim(key: string): Promise<Place | undefined> {
    const waiting = `${this.#schema}.run_waiting`
    const text = `update ${waiting} set woken_at = clock_timestamp() where (key, job) in (
      select key, job from ${waiting} where key = $1
        and (woken_at is null or woken_at < clock_timestamp() - $2 * interval '1 millisecond')
      order by since limit 1 for update skip locked) returning job, woken_at::text as claim`
    return this.#ask('The waiting jobs could not be read', async pool => {
      const { rows } = await pool.query<Place>(text, [key, wakingMs])
      return rows[0]
    })
  }

  async leave(key: string, { job, claim }: Place): Promise<void> {
    const text = `delete from ${this.#schema}.run_waiting where key = $1 and job = $2 and woken_at = $3::timestamptz`
    await this.#ask(`The job ${job} could not be taken out of its line`, pool => pool.query(text, [key, job, claim]))
  }

  waitBehind(keys: readonly string[], job: string, order: number): Promise<string | undefined> {
    const waiting = `${this.#schema}.run_waiting`
    const text = `insert into ${waiting} (key, job, since)
      select key, $2, to_timestamp($3::float8 / 1000) from unnest($1::text[]) as given (key)
        where exists (select from ${waiting} where run_waiting.key = given.key) limit 1
      on conflict (key, job) do update set since = excluded.since, woken_at = null returning key`
    return this.#ask(`The job ${job} could not be put back`, async pool => {
      const { rows } = await pool.query<{ key: string }>(text, [keys, job, order])
      return rows[0]?.key
    })
  }

  waited(): Promise<readonly string[]> {
    const waiting = `${this.#schema}.run_waiting`
    // One look into the index for each key, however many jobs wait.
    const text = `with recursive line as (select min(key) as key from ${waiting} union all
        select (select min(key) from ${waiting} where key > line.key) from line where key is not null)
      select key from line where key is not null`
    return this.#ask('The waiting jobs could not be read', async pool => {
      const { rows } = await pool.query<{ key: string }>(text)
      return rows.map(({ key }) => key)
    })
  }

  lineOf(jobs: readonly string[]): Promise<string | undefined> {
    const text = `select key from ${this.#schema}.run_waiting where job = any($1::text[]) limit 1`
    return this.#ask('The waiting jobs could not be read', async pool => {
      const { rows } = await pool.query<{ key: string }>(text, [jobs])
      return rows[0]?.key
    })
  }

  passing(queue: string, keys: readonly string[], most: number): Promise<readonly string[]> {
    return this.#ask('The waiting jobs could not be read', async pool => {
      const text = passingJobs(this.#schema)
      const { rows } = await pool.query<{ id: string }>({ name: 'passing', text, values: [queue, keys, most] })
      return rows.map(({ id }) => id)
    })
  }

  close(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  async #end(): Promise<void> {
    this.#isClosed = true
    this.#stopLooking?.()
    this.#stopTelling?.()
    await this.#tellSteps()
    await this.#listener?.end().catch(() => {})
    // A request that waits for a connection of a pool that has ended would never settle.
    await Promise.allSettled(this.#asked)
    await this.#pool?.end()
  }

  async #compareClocks(client: Pick<Client, 'query'>): Promise<void> {
    const { clock } = this.options
    const before = clock.now()
    const { rows } = await client.query<{ now: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
    )
    this.#offset = Math.round((rows[0]?.now ?? before) - (before + clock.now()) / 2)
  }

  async #makeTables(client: Pick<Client, 'query'>): Promise<void> {
    const schema = this.#schema
    await client.query('begin')
    try {
      // If several processes begin at the same time, one makes the tables.
      await client.query('select pg_advisory_xact_lock(hashtext($1))', [`skills ${this.options.name}`])
      await client.query(`create table if not exists ${schema}.run_version (version int not null)`)
      const { rows } = await client.query<{ version: number }>(`select version from ${schema}.run_version`)
      const found = rows[0]?.version
      if (found !== undefined && found > version) throw tooNew(`its version of journals is ${found}.`)
      await client.query(`create table if not exists ${schema}.run_migration (number int primary key)`)
      const { rows: made } = await client.query<{ number: number }>(`select number from ${schema}.run_migration`)
      // The first migration was made before migrations were counted.
      const done = new Set([...made.map(({ number }) => number), ...(found === undefined ? [] : [1])])
      for (const [at, migration] of postgresMigrations(schema).entries()) {
        if (!done.has(at + 1)) await client.query(migration)
        await client.query(`insert into ${schema}.run_migration values ($1) on conflict do nothing`, [at + 1])
      }
      if (found === undefined) await client.query(`insert into ${schema}.run_version values (${version})`)
      await client.query('commit')
    } catch (error) {
      // It fails too if the connection was lost, and then the server takes everything back by itself.
      await client.query('rollback').catch(() => {})
      throw error
    }
  }

  async #countsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map()
    const text = `select id, entries from ${this.#schema}.run where id = any($1::text[])`
    return this.#ask('The runs could not be listed', async pool => {
      const { rows } = await pool.query<{ id: string; entries: number }>(text, [ids])
      return new Map(rows.map(({ id, entries }) => [id, entries]))
    })
  }

  /** Reads lines. If some are missing, the reader of the journal rejects with `E_RUN_JOURNAL`. */
  async #lines(pool: Pool, id: string, from: number): Promise<readonly string[]> {
    const schema = this.#schema
    const text = `select entries, line from ${schema}.run left join ${schema}.run_entry on run = id and n >= $2
      where id = $1 order by n`
    const { rows } = await pool.query<{ entries: number; line: string | null }>({
      name: 'read',
      text,
      values: [id, from],
    })
    const lines = rows.flatMap(({ line }) => line ?? [])
    const missing = Math.max(0, (rows[0]?.entries ?? 0) - from) - lines.length
    // An empty line is not an entry.
    return missing > 0 ? [...lines, ''] : lines
  }

  async #ask<T>(what: string, ask: (pool: Pool, isAgain: boolean) => Promise<T>): Promise<T> {
    try {
      const pool = this.#pool
      if (pool === undefined || this.#isClosed) throw new Error('The queue is not open.')
      const answer = patiently(
        this.options,
        error => !this.#isClosed && isAway(error),
        isAgain => ask(pool, isAgain),
      )
      this.#asked.add(answer)
      return await answer.finally(() => this.#asked.delete(answer))
    } catch (error) {
      throw queueError(what, error)
    }
  }

  /** Returns the connection for notices, once there is one. */
  async #listenerNow(): Promise<Client> {
    for (;;) {
      if (this.#isClosed) throw new Error('The queue is closed.')
      const client = await (this.#listening ??= this.#listen())
      if (client !== undefined) return client
    }
  }

  async #listen(): Promise<Client | undefined> {
    if (this.#isClosed) return undefined
    const { default: pg } = await import('pg')
    let stopLooking: (() => void) | undefined
    const client = new pg.Client({ ...limits, ...this.config })
    const again = (): void => {
      stopLooking?.()
      client.removeAllListeners().on('error', () => {})
      void client.end().catch(() => {})
      if (this.#isClosed) return
      const pause = new Promise<void>(resolve => this.options.clock.after(500, resolve))
      this.#listening = pause.then(() => this.#listen())
      for (const lost of this.#lost) lost()
    }
    client.on('error', again).on('end', again)
    const channel = `${this.options.name}_runs`
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (from === channel) this.#watchers.tell(payload)
      else if (from === `${channel}_lines`) this.#watchers.tellLines(payload)
    })
    // BullMQ adds one for each worker.
    client.setMaxListeners(0)
    try {
      await client.connect()
      await client.query(`listen "${channel}"; listen "${channel}_lines"`)
    } catch {
      // The connection is tried again, and then everything may have changed.
      again()
      return undefined
    }
    if (this.#isClosed) {
      client.removeAllListeners().on('error', () => {})
      await client.end().catch(() => {})
      return undefined
    }
    this.#listener = client
    this.#watchers.tellAll()
    stopLooking = repeated(this.options, async () => {
      try {
        await this.#compareClocks(client)
      } catch {
        // The connection is dead, although no error was reported.
        return again()
      }
      await this.#watchers.compare(ids => this.#countsOf(ids))
    })
    this.#stopLooking = stopLooking
    return client
  }
}

/** Bytes of a journal that is not read together with others. */
const longJournal = 100_000

/** Entries of which others are told together. */
const steps: ReadonlySet<RunEntry['type']> = new Set(['taken', 'begun', 'finished'])

/** Entries that callers were told about: submission and end of a run. */
const isDurable: ReadonlySet<RunEntry['type']> = new Set(['queued', 'ended', 'parked', 'delivered'])

/** True if all connections of the server are taken. */
const isFull = (error: unknown): boolean => codeOf(error) === '53300'

/** True if a server that is full, starts or stops has refused a connection. */
const isAnswer = (error: unknown): boolean => isFull(error) || codeOf(error).startsWith('57P0')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** True if the server is temporarily unreachable, as while it starts, by its own messages and those of sockets. */
function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway)
  if (!(error instanceof Error)) return false
  // 53300: all connections of the server are taken. pg has no codes for its own time limits.
  return (
    /^(?:57P0|08|53300|ECONN|EPIPE|ETIMEDOUT)/.test(codeOf(error)) ||
    /^Connection terminated|^Client has encountered a connection error|^Query read timeout|timeout exceeded when trying to connect/.test(
      error.message,
    )
  )
}
