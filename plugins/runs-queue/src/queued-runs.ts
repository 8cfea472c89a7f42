import * as s from '@skills/core/schema'
import { defineProvider, SkillsError, type Diagnostic, type Host, type Provider } from '@skills/core'
import { openRunKeys, type RunSpec } from '@skills/runs'
import { WorkerRuns, type OpenedRuns, type RunJob } from '@skills/runs/internal'
import { BullmqQueue } from './bullmq-queue.js'
import { PostgresServer } from './postgres-server.js'
import { RedisServer } from './redis-server.js'
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
  /**
   * Milliseconds between two looks at the runs that are waited for, and between two signs of life of the connection that
   * notices arrive on. A lost notice is made up for after this time.
   */
  lookMs: s.number().default(15_000),
  /**
   * Called when the queue is opened if its server may lose what it has confirmed (`queue-not-durable`). Default: the
   * diagnostics of the engine.
   */
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>(),
})

export interface QueuedRunsOptions extends s.OptionsOf<typeof queuedRunsOptions> {}

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
  const { name, patienceMs, lookMs, key, jobOf, onDiagnostic = () => {} } = options
  const server = serverOf(options, { name, clock, patienceMs, lookMs, onDiagnostic })
  const file = host.env['SKILLS_RUNS_KEY_FILE']
  const keys = openRunKeys(host, { keys: typeof key === 'string' ? [key] : key, file: file === '' ? undefined : file })
  return new WorkerRuns({ queue: new BullmqQueue(server, clock), clock, keys, name, jobOf })
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
    async setup({ host, effect, report }) {
      const runs = openQueuedRuns(host, { ...options, onDiagnostic: options.onDiagnostic ?? report })
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
