import { abortError } from '@skills/core'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'

/** Decision that a person has to make during a call. */
export interface Question {
  readonly request: PermissionRequest
  readonly decision: PermissionDecision
}

/** State of a call after a round: the question that the call waits for, or the call's value. */
export type Step<T> = { readonly question: Question } | { readonly value: T }

export interface AskedWork<T> {
  (ask: (question: Question, signal: AbortSignal) => Promise<boolean>, signal: AbortSignal): Promise<T>
}

interface Open extends Question {
  readonly resolve: (isYes: boolean) => void
}

/**
 * Call that may have to ask a person. The client asks the person between two requests of the protocol. Meanwhile the
 * call waits in memory, so that none of its steps is repeated.
 */
export class AskedCall<T> {
  readonly #abort = new AbortController()
  readonly #questions: Open[] = []
  readonly #value: Promise<T>
  #wake: (() => void) | undefined

  constructor(work: AskedWork<T>) {
    this.#value = work((question, signal) => this.#ask(question, signal), this.#abort.signal)
    // The next round rejects with this error. Between two rounds nothing awaits it.
    this.#value.catch(() => {})
  }

  /** Waits for the next question or the end. If the signal of the round aborts, the call ends. */
  async next(signal: AbortSignal): Promise<Step<T>> {
    const stop = (): void => this.end(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (this.#questions.length === 0) {
        const asked = new Promise<void>(resolve => {
          this.#wake = resolve
        })
        await Promise.race([this.#value, asked])
      }
      const [question] = this.#questions
      return question === undefined ? { value: await this.#value } : { question }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Answers the question with which the last round ended. */
  answer(isYes: boolean): void {
    this.#questions[0]?.resolve(isYes)
  }

  end(reason: unknown): void {
    this.#abort.abort(reason)
  }

  #ask(question: Question, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const open: Open = {
        ...question,
        resolve: isYes => {
          done()
          resolve(isYes)
        },
      }
      const stop = (): void => {
        done()
        reject(abortError(signal))
      }
      const done = (): void => {
        signal.removeEventListener('abort', stop)
        const at = this.#questions.indexOf(open)
        if (at >= 0) this.#questions.splice(at, 1)
      }
      this.#questions.push(open)
      signal.addEventListener('abort', stop, { once: true })
      this.#wake?.()
      if (signal.aborted) stop()
    })
  }
}
