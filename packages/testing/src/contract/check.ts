import { isDeepStrictEqual } from 'node:util'
import { isAbortError, messageOf, SkillsError } from '@skills/core'
import { ContractError } from './contract-case.js'

/** Outcome of some work. */
export type Ended<T = unknown> = { readonly value: T } | { readonly error: unknown }

export interface ContractOptions<L extends string> {
  /**
   * Abilities that are missing and so cannot be checked, each with the reason as a sentence. A case fails if the
   * fixture lacks an ability that is not listed here.
   */
  readonly without?: Readonly<Partial<Record<L, string>>>
  /** Milliseconds to wait for an answer before the case fails. Default 20,000. */
  readonly patienceMs?: number
}

/** Parts that every fixture may have. */
interface Disposable {
  /** Called once when the case is over. */
  dispose?(): unknown
  /** Returns the name by which the skill stored as `name` is invoked. Default: the same name. */
  nameOf?(name: string): string
}

/**
 * One check of one rule. The check reports failures as sentences, waits at most `patienceMs` for an answer, and cleans
 * up after itself.
 */
export class Check<M = unknown, O extends ContractOptions<string> = ContractOptions<string>> {
  readonly patienceMs: number
  readonly #undos: (() => unknown)[] = []
  #latest: Disposable = {}

  /** @param make makes a fixture */
  constructor(
    readonly rule: string,
    protected readonly make: M,
    protected readonly options: O,
  ) {
    this.patienceMs = options.patienceMs ?? 20_000
  }

  /** Makes a fixture and registers its clean-up. */
  async made<F extends Disposable>(make: () => F | PromiseLike<F>): Promise<F> {
    const fixture = await this.unchecked('make() failed', async () => make())
    this.atEnd(() => fixture.dispose?.())
    this.#latest = fixture
    return fixture
  }

  /** Returns the name by which a skill of the latest fixture is invoked. */
  nameOf(stored: string): string {
    return this.#latest.nameOf?.(stored) ?? stored
  }

  /** Throws the error that says the rule is broken. */
  broken(what: string, cause?: unknown): never {
    throw new ContractError(`Rule "${this.rule}": ${what}`, cause === undefined ? undefined : { cause })
  }

  /** Throws the error for a missing ability that `without` does not name. */
  lacking(owner: string, lack: string): never {
    return this.broken(
      `it cannot be checked, because the ${owner} has no ${lack}(). Give it one, or say why it has none: without: { ${lack}: '…' }.`,
    )
  }

  /** Breaks the rule unless the two values are deeply equal. */
  expectSame(what: string, found: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(found, expected)) this.broken(`${what} is ${shown(found)} instead of ${shown(expected)}.`)
  }

  /** Returns the SkillsError with which some work failed. Any other outcome breaks the rule. */
  expectSkillsError(outcome: Ended, what: string): SkillsError {
    if (!('error' in outcome)) return this.broken(`${what} gave ${shown(outcome.value)} all the same.`)
    if (SkillsError.is(outcome.error)) return outcome.error
    return this.broken(`${what} failed with no SkillsError but: ${messageOf(outcome.error)}`, outcome.error)
  }

  /** Breaks the rule unless some work that was aborted rejected with an AbortError. */
  expectAborted(outcome: Ended, what: string, hint = ''): void {
    if ('error' in outcome) this.expectGivenUp(outcome, what)
    else this.broken(`${what} gave an answer all the same.${hint}`)
  }

  /** Breaks the rule if aborted work failed with anything but an AbortError. True if it gave a value. */
  expectGivenUp<T>(outcome: Ended<T>, what: string): outcome is { readonly value: T } {
    if ('value' in outcome) return true
    if (isAbortError(outcome.error)) return false
    return this.broken(`${what} rejected with no AbortError but: ${messageOf(outcome.error)}`, outcome.error)
  }

  /** Returns what some work gives. The rule is broken if it fails or does not end. */
  async answer<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.within(what, work())
    } catch (error) {
      if (error instanceof ContractError) throw error
      return this.broken(`${what} failed: ${messageOf(error)}`, error)
    }
  }

  /** Returns how some work ends: a value or an error. The rule is broken if it does not end. */
  async ended<T>(what: string, work: () => Promise<T>): Promise<Ended<T>> {
    return this.within(
      what,
      work().then(
        value => ({ value }),
        (error: unknown) => ({ error }),
      ),
    )
  }

  /** Waits for some work, at most `patienceMs`. Its failure is passed on. */
  async within<T>(what: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const outOfPatience = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ContractError(`Rule "${this.rule}": ${what} did not answer within ${this.patienceMs} ms.`)),
        this.patienceMs,
      )
    })
    try {
      return await Promise.race([work, outOfPatience])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs work of the fixture. A failure is reported as "could not be checked", not as a broken rule. */
  async unchecked<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw new ContractError(`Rule "${this.rule}": it could not be checked, because ${what}: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  /** Registers a clean-up. Clean-ups run last-in-first-out. */
  atEnd(undo: () => unknown): void {
    this.#undos.push(undo)
  }

  /** Runs every clean-up, even if one fails, then rejects with the first failure. */
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

/** Formats a value for a message: text in quotes. */
function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
