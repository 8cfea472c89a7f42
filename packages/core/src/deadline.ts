import { setMaxListeners } from 'node:events'
import { abortError, isAbortError, SkillsError } from './error.js'
import type { Clock } from './host.js'
import type { MaybePromise } from './promise.js'

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
 * `progress` must end within the limit. After an abort or a timeout, the signal of the work is aborted and its later
 * answer dropped. Does not begin if a signal is aborted already. Throws `E_TIMEOUT`, the `AbortError` of the signal, or
 * the error of `work`.
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
        const hint = 'Give it a higher limitMs, or look at what it waits for.'
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

/** Stops waiting when the signal aborts, with its `AbortError`. The work continues for its other callers. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  withDeadline(() => work, { signals: [signal] })
