import type { Clock, MaybePromise } from '@skills/core'

/**
 * Milliseconds that an aborted invocation waits for the work that it started. Twice the default grace of an embedded
 * command, since its pipes are waited for too, and a little more.
 */
const leavingMs = 2_500

/** Waits for the end of the work that an invocation started, because its processes may still write after an abort. */
export class Departure {
  #work: Promise<unknown> | undefined

  constructor(private readonly clock: Clock) {}

  /** Remembers work to wait for, and returns it. */
  of<T>(work: MaybePromise<T>): Promise<T> {
    const kept = Promise.resolve(work)
    this.#work = kept
    return kept
  }

  /** Waits until the work has settled, at most {@link leavingMs}, since it may ignore its signal. Never rejects. */
  async left(): Promise<void> {
    const work = this.#work
    if (work === undefined) return
    let cancel = (): void => undefined
    const late = new Promise<void>(resolve => {
      cancel = this.clock.after(leavingMs, resolve)
    })
    await Promise.race([
      work.then(
        () => undefined,
        () => undefined,
      ),
      late,
    ])
    cancel()
  }
}
