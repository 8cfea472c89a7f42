import type { Clock, MaybePromise } from '@skills/core'

/**
 * Milliseconds that an invocation which was given up waits for what it had started: twice the grace that an embedded
 * command has by default, as its pipes are waited for too, and a little more.
 */
const leavingMs = 2_500

/** Waits until what an invocation has started is gone: after an abort its processes may still write. */
export class Departure {
  #work: Promise<unknown> | undefined

  constructor(private readonly clock: Clock) {}

  /** Keeps work in sight, and gives it. */
  of<T>(work: MaybePromise<T>): Promise<T> {
    const kept = Promise.resolve(work)
    this.#work = kept
    return kept
  }

  /**
   * Settles when the work has, however it ended, or when it takes too long: it may not listen to its signal. Never
   * rejects.
   */
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
