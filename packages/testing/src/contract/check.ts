import { isAbortError, messageOf } from '@skills/core'
import { ContractError } from './contract-case.js'

/** How some work ended. */
export type Ended<T = unknown> = { readonly value: T } | { readonly error: unknown }

/**
 * One check of one rule: says in sentences what is wrong, waits no longer than it has patience, and leaves nothing
 * behind.
 */
export class Check {
  readonly patienceMs: number
  readonly #rule: string
  readonly #undos: (() => unknown)[] = []

  /** @param patienceMs milliseconds after which a source that does not answer has failed */
  constructor(rule: string, patienceMs: number) {
    this.#rule = rule
    this.patienceMs = patienceMs
  }

  /** Says that the rule is broken. */
  broken(what: string, cause?: unknown): never {
    throw new ContractError(`Rule "${this.#rule}": ${what}`, cause === undefined ? undefined : { cause })
  }

  /** Says that a fixture has to have what it may be told to do without. */
  lacking(owner: string, lack: string): never {
    return this.broken(
      `it cannot be checked, because the ${owner} has no ${lack}(). Give it one, or say why it has none: without: { ${lack}: '…' }.`,
    )
  }

  /** Breaks the rule for each of these that is there although `without` gives a reason why not. */
  async expectWaived<L extends string>(
    without: Readonly<Partial<Record<L, string>>>,
    isThere: Readonly<Partial<Record<L, () => boolean | Promise<boolean>>>>,
    tells: (lack: L) => string,
  ): Promise<void> {
    for (const lack of Object.keys(isThere) as L[]) {
      const { [lack]: reason } = without
      if (reason !== undefined && (await isThere[lack]?.()) === true)
        this.broken(`${tells(lack)} ("${reason}"). Take it out of "without".`)
    }
  }

  /** Breaks the rule unless some work that was aborted rejected with an AbortError. */
  expectAborted(outcome: Ended, what: string, hint = ''): void {
    if (!('error' in outcome)) return this.broken(`${what} gave an answer all the same.${hint}`)
    if (!isAbortError(outcome.error))
      this.broken(`${what} rejected with no AbortError but: ${messageOf(outcome.error)}`, outcome.error)
  }

  /** What some work gives; that it fails, or does not end, breaks the rule. */
  async answer<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.within(what, work())
    } catch (error) {
      if (error instanceof ContractError) throw error
      return this.broken(`${what} failed: ${messageOf(error)}`, error)
    }
  }

  /** How some work ends: with a value, or with an error. That it does not end breaks the rule. */
  async ended<T>(what: string, work: () => Promise<T>): Promise<Ended<T>> {
    return this.within(
      what,
      work().then(
        value => ({ value }),
        (error: unknown) => ({ error }),
      ),
    )
  }

  /** Gives up waiting after the patience of the suite; what fails before that fails. */
  async within<T>(what: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const outOfPatience = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ContractError(`Rule "${this.#rule}": ${what} did not answer within ${this.patienceMs} ms.`)),
        this.patienceMs,
      )
    })
    try {
      return await Promise.race([work, outOfPatience])
    } finally {
      clearTimeout(timer)
    }
  }

  /** What the fixture does; that it fails says nothing about the rule. */
  async unchecked<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw new ContractError(`Rule "${this.#rule}": it could not be checked, because ${what}: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  /** Undone last-in-first-out. */
  atEnd(undo: () => unknown): void {
    this.#undos.push(undo)
  }

  /** Undoes everything, also after a failure; then rejects with the first one. */
  async end(): Promise<void> {
    const failures: unknown[] = []
    for (const undo of this.#undos.splice(0).reverse()) {
      const [ended] = await Promise.allSettled([
        this.within(
          'cleaning up',
          this.unchecked('cleaning up failed', async () => undo()),
        ),
      ])
      if (ended.status === 'rejected') failures.push(ended.reason)
    }
    if (failures.length > 0) throw failures[0]
  }
}
