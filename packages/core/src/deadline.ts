import { setMaxListeners } from 'node:events'
import { abortError, isAbortError, SkillsError } from './error.js'
import type { Clock } from './host.js'
import type { MaybePromise } from './promise.js'

export interface DeadlineOptions {
  /** Any of them ends the wait. */
  readonly signals: readonly (AbortSignal | undefined)[]
  /**
   * Ends it too: milliseconds without progress, of the time that this process ran. `what` begins the sentence of the
   * error.
   */
  readonly limit?: { readonly ms: number; readonly clock: Clock; readonly what: string }
  /** Told of a failure that came after the work was given up, so that it is not lost. */
  readonly onLate?: (error: unknown) => void
}

/** Parts of a limit that are waited for one after the other. */
const steps = 10

/**
 * Runs `work` until it answers, fails, is aborted or makes no progress for as long as its limit, whichever comes first.
 * Work that never calls `progress` has the limit for all of it.
 * Its signal aborts in each of the last cases; what it still gives afterwards is dropped. Not begun when aborted
 * already. Throws `E_TIMEOUT`, the `AbortError` of the signal, or what `work` threw.
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
      // Many providers at once listen to one signal, and all stop when they are done: no leak to warn of.
      // (AbortSignal.any() would need no listeners, but on Node 20 the source never lets go of what it made.)
      setMaxListeners(0, signal)
      signal.addEventListener('abort', listener)
      undos.push(() => signal.removeEventListener('abort', listener))
    }
    if (limit === undefined || limit.ms === Infinity) return
    const { ms, clock, what } = limit
    // In steps: however long a process was stopped, one timer is all that falls due when it goes on, and the work gets
    // the rest.
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

/** Gives up waiting when the signal aborts, with its `AbortError`; the work goes on for its other callers. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  withDeadline(() => work, { signals: [signal] })
