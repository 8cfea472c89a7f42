import * as s from '@skills/core/schema'
import { hostname } from 'node:os'
import { defineProvider, SkillsError, type Host, type Provider } from '@skills/core'
import { LoggedRuns, openRunKeys, type RunRecord, type RunSpec } from '@skills/runs'
import type { RunJob, RunKeys } from '@skills/runs/internal'
import { PostgresServer } from './postgres-server.js'
import { RedisServer } from './redis-server.js'
import { RunQueue } from './run-queue.js'
import type { BullmqServer, ServerOptions } from './bullmq-server.js'

const queuedRunsOptions = s.options('openQueuedRuns()', {
  /** URL of the server: `postgres://…`, `redis://…` or `rediss://…`. */
  url: s.text(),
  /** Connection options of `pg`, in place of a URL. */
  postgres: s.typed<Readonly<Record<string, unknown>>>('an object'),
  /** Connection options of `ioredis`, in place of a URL. */
  redis: s.typed<Readonly<Record<string, unknown>>>('an object'),
  /** Schema in PostgreSQL, or prefix of keys in Redis. */
  name: s
    .text('small letters, digits and _, at most 50', name => /^[a-z_][a-z0-9_]{0,49}$/.test(name))
    .default('skills'),
  /**
   * Secrets of at least 32 characters that sign everything recorded of a run: one, or several of which the first signs
   * and each verifies. Every program of a queue needs them: a run that none of them signed is `E_RUN_UNSIGNED`.
   * Default: the lines of the file that `SKILLS_RUNS_KEY_FILE` names, else a secret made in the user's state folder,
   * which is enough for one user of one machine.
   */
  key: s.either(s.text(), s.list(s.text())),
  /** Returns the queueing options of a run that is submitted here. Default: those of {@link RunJob}. */
  jobOf: s.fn<(spec: RunSpec) => RunJob | undefined>(),
  /** Milliseconds to wait for a server that was reachable before, as while it restarts. */
  patienceMs: s.number().default(15_000),
})

export interface QueuedRunsOptions extends s.OptionsOf<typeof queuedRunsOptions> {}

/** Runs on a queue that can be closed. This type does not depend on the libraries of the queue. */
export interface OpenedRuns extends LoggedRuns {
  /** Returns the ids of runs that workers execute now. */
  atWork(): Promise<readonly string[]>
  /** Closes its connections when the jobs of this process are finished. */
  close(): Promise<void>
}

/** Runs on a queue. */
export class QueuedRuns extends LoggedRuns implements OpenedRuns {
  /** Connection between this engine and the queue, for {@link startWorker}. */
  readonly queue: RunQueue
  readonly #jobOf: QueuedRunsOptions['jobOf']

  constructor(
    queue: RunQueue,
    {
      clock,
      keys,
      name,
      jobOf,
    }: Pick<ServerOptions, 'clock' | 'name'> & Pick<QueuedRunsOptions, 'jobOf'> & { readonly keys: RunKeys },
  ) {
    const here = `${hostname()} (${process.pid})`
    super({
      logs: queue.logs,
      keys,
      name,
      place: 'workers',
      clock,
      holder: run => ({ name: here, process: queue.holds(run) }),
      isGone: holder => queue.isGone(holder),
      queued: record => queue.add(record),
      isTriedAgain: (record, ending) => queue.isTriedAgain(record, ending),
    })
    this.queue = queue
    this.#jobOf = jobOf
  }

  override submit(spec: RunSpec): Promise<RunRecord> {
    const job = spec.job ?? this.#jobOf?.(spec)
    return super.submit(job === undefined ? spec : { ...spec, job })
  }

  async atWork(): Promise<readonly string[]> {
    return (await (await this.queue.opened()).getActive()).map(({ data }) => data.run)
  }

  close(): Promise<void> {
    return this.queue.close()
  }
}

/**
 * Opens the runs on a queue without an engine, for programs that list runs or answer their questions. The first call
 * connects, and `close()` ends the connections. Throws `E_INVALID_OPTION`. Its methods reject with `E_QUEUE` if the
 * server cannot be reached, `E_QUEUE_VERSION` if its data are of a later version, and `E_MISSING_PROVIDER` if `bullmq`,
 * or `pg` or `ioredis`, is not installed.
 */
export function openQueuedRuns(
  host: Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'clock'>,
  given: QueuedRunsOptions,
): OpenedRuns {
  const options = queuedRunsOptions.read(given)
  const { clock } = host
  const { name, patienceMs, key, jobOf } = options
  const server = serverOf(options, { name, clock, patienceMs })
  const file = host.env['SKILLS_RUNS_KEY_FILE']
  const keys = openRunKeys(host, { keys: typeof key === 'string' ? [key] : key, file: file === '' ? undefined : file })
  return new QueuedRuns(new RunQueue(server), { clock, keys, name, jobOf })
}

/**
 * Makes the provider `queue` of the kind `runs`, which stores runs on a server for workers. A fork of the engine waits
 * until a worker has run it; a fork in the background returns its id at once. Options and errors are the same as for
 * {@link openQueuedRuns}.
 */
export function queuedRuns(given: QueuedRunsOptions): Provider<'runs'> {
  const options = queuedRunsOptions.read(given, 'queuedRuns()')
  return defineProvider({
    kind: 'runs',
    id: 'queue',
    contract: 1,
    async setup({ host, effect }) {
      const runs = openQueuedRuns(host, options)
      await effect('connections', () => () => runs.close())
      return runs
    },
  })
}

function serverOf({ url, postgres, redis }: QueuedRunsOptions, options: ServerOptions): BullmqServer {
  const given = [url, postgres, redis].filter(one => one !== undefined)
  if (given.length !== 1)
    throw invalid(
      `A queue needs exactly one of url, postgres and redis, and ${given.length} were given.`,
      'Give its URL.',
    )
  if (postgres !== undefined || /^postgres(ql)?:\/\//.test(url ?? ''))
    return new PostgresServer(postgres ?? { connectionString: url }, options)
  if (redis !== undefined || /^rediss?:\/\//.test(url ?? '')) return new RedisServer(url, redis ?? {}, options)
  throw invalid('The URL of a queue has to begin with postgres:, redis: or rediss:.', 'Correct the URL.')
}

function invalid(message: string, hint: string): SkillsError {
  return new SkillsError('E_INVALID_OPTION', message, { hint })
}
