import { homedir } from 'node:os'
import { setMaxListeners } from 'node:events'
import { abortError, isAbortError, SkillsError } from './error.js'
import type { MaybePromise } from './promise.js'

/** Time source of a host. A test can replace it by a clock that stands still. All values are in milliseconds. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number
  /**
   * Calls `callback` once after `ms`; returns a function that cancels it. Must keep the process alive while it waits.
   */
  after(ms: number, callback: () => void): () => void
}

/**
 * Machine as the engine sees it. The engine never reads the process's own folder, home or environment, so every
 * provider can be tested alone. See docs/reference/engine.md, "The host".
 */
export interface Host {
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** Absolute path of the user's home folder. It need not exist. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Numeric user id; undefined on platforms without one. */
  readonly uid?: number | undefined
  readonly sessionId: string
  readonly clock: Clock
  /**
   * True if models and clients may read absolute paths of this machine, because it is the person's own or because the
   * model's tools need them. Default: false. See docs/reference/host.md, "Paths of this machine".
   */
  readonly showsPaths?: boolean | undefined
}

/** Names of the properties of a host, for hints about an option that belongs inside `host`. */
export const hostNames = [
  'cwd',
  'home',
  'env',
  'platform',
  'uid',
  'sessionId',
  'clock',
  'showsPaths',
] as const satisfies readonly (keyof Host)[]

/**
 * Clock of this machine. It waits at most about 25 days, the longest delay of a timer. See docs/reference/engine.md,
 * "The host".
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    // With a longer delay, a timer would fire at once.
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/**
 * Makes the host that describes this process. On Windows both folders get forward slashes, and each variable can also be
 * read by its name in capitals.
 * @param overrides properties that replace those of the process, such as `cwd`
 */
export function processHost(overrides: Partial<Host> = {}): Host {
  let sessionId: string | undefined
  const { platform = process.platform, env = process.env } = overrides
  // Every package joins and compares paths with forward slashes, which Windows understands too.
  const plain = (path: string): string => (platform === 'win32' ? path.replaceAll('\\', '/') : path)
  return {
    platform,
    uid: process.getuid?.(),
    clock: systemClock,
    // Made on first use: loading the random source costs milliseconds that a listing does not need.
    get sessionId() {
      return (sessionId ??= crypto.randomUUID())
    },
    ...overrides,
    // `process.cwd()` throws if the folder was deleted, so it is called only when needed.
    cwd: plain(overrides.cwd ?? process.cwd()),
    home: plain(overrides.home ?? homedir()),
    env: platform === 'win32' ? withCapitals(env) : env,
  }
}

/**
 * Adds each variable under its name in capitals. On Windows `Path` and `PATH` are the same variable, but a copy of the
 * environment has only the name as it is written.
 */
function withCapitals(env: Host['env']): Host['env'] {
  return { ...env, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value])) }
}

export interface DeadlineOptions {
  /** Any of these ends the wait. */
  readonly signals: readonly (AbortSignal | undefined)[]
  /**
   * Ends the wait after `ms` milliseconds without progress, counted while this process ran. `what` begins the error's
   * sentence.
   */
  readonly limit?: { readonly ms: number; readonly clock: Clock; readonly what: string }
  /** Called with a failure that came after the work was given up, so that it is not lost. */
  readonly onLate?: (error: unknown) => void
}

/** Number of timers into which a limit is split. */
const steps = 10

/**
 * Runs `work` until it answers, fails, is aborted, or makes no progress for its whole limit. Work that never calls
 * `progress` must end within the limit. After an abort or a timeout, the function aborts the signal that `work` was
 * given and drops a later answer. If the caller's signal is aborted already, `work` does not begin. Throws `E_TIMEOUT`,
 * the `AbortError` of the signal, or the error of `work`.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal, progress: () => void) => MaybePromise<T>,
  options: DeadlineOptions,
): Promise<T> {
  const { limit, onLate } = options
  const signals = options.signals.filter(signal => signal !== undefined)
  for (const signal of signals) if (signal.aborted) throw abortError(signal)
  const controller = new AbortController()
  const undos: (() => void)[] = []
  let hasProgress = false
  let isMoving = false
  const ended = new Promise<never>((_, reject) => {
    const end = (error: Error): void => {
      reject(error)
      controller.abort(error)
    }
    for (const signal of signals) {
      const listener = (): void => end(abortError(signal))
      // Many providers listen to one signal at once and stop when they are done, so this is not a leak.
      // (AbortSignal.any() would need no listeners, but on Node 20 the source never releases the signals made from it.)
      setMaxListeners(0, signal)
      signal.addEventListener('abort', listener)
      undos.push(() => signal.removeEventListener('abort', listener))
    }
    if (limit === undefined || limit.ms === Infinity) return
    const { ms, clock, what } = limit
    // In steps: after a process was suspended, only one timer falls due, and the work gets the rest of its limit.
    const step = Math.max(1, Math.ceil(ms / steps))
    let left = ms
    let stop = (): void => {}
    const wait = (): void => {
      stop = clock.after(Math.min(step, left), () => {
        left = isMoving ? ms : left - step
        isMoving = false
        if (left > 0) return wait()
        const hint = 'Raise limitMs, or look at what the provider waits for.'
        end(
          new SkillsError(
            'E_TIMEOUT',
            `${what} ${hasProgress ? 'made no progress for' : 'took longer than'} ${ms} ms.`,
            { hint },
          ),
        )
      })
    }
    wait()
    undos.push(() => stop())
  })
  const answer = (async () =>
    work(controller.signal, () => {
      hasProgress = isMoving = true
    }))()
  answer.catch(error => {
    if (controller.signal.aborted && error !== controller.signal.reason && !isAbortError(error)) onLate?.(error)
  })
  try {
    return await Promise.race([answer, ended])
  } finally {
    for (const undo of undos) undo()
  }
}

/**
 * Waits for `work`, and rejects with the signal's `AbortError` when the signal aborts. The work itself continues for
 * other callers.
 */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  withDeadline(() => work, { signals: [signal] })

/** Entries that are processed before the rest of the process gets a turn: a few milliseconds' worth. */
const batch = 1000

/** True if a loop that has handled `done` entries should let the rest of the process run. */
export const isTurnDue = (done: number): boolean => done > 0 && done % batch === 0

/** Lets everything else of the process run. */
export { setImmediate as turn } from 'node:timers/promises'
