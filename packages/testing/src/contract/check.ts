import { isDeepStrictEqual } from 'node:util'
import { isAbortError, messageOf, SkillsError } from '@skills/core'
import { ContractError } from './contract-case.js'

/** How some work ended. */
export type Ended<T = unknown> = { readonly value: T } | { readonly error: unknown }

export interface ContractOptions<L extends string> {
  /**
   * What cannot be checked here, each with the reason: a sentence. What the fixture lacks and this does not name fails.
   */
  readonly without?: Readonly<Partial<Record<L, string>>>
  /** Milliseconds after which what is asked and does not answer has failed. Default 20,000. */
  readonly patienceMs?: number
}

/** What every fixture may have. */
interface Disposable {
  /** Called once when the case is over. */
  dispose?(): unknown
  /** What the skill that is stored as `name` is invoked by, if that is something else. */
  nameOf?(name: string): string
}

/**
 * One check of one rule: says in sentences what is wrong, waits no longer than it has patience, and leaves nothing
 * behind.
 */
export class Check<M = unknown, O extends ContractOptions<string> = ContractOptions<string>> {
  readonly patienceMs: number
  readonly #undos: (() => unknown)[] = []
  #latest: Disposable = {}

  /** @param make gives a fixture */
  constructor(
    readonly rule: string,
    protected readonly make: M,
    protected readonly options: O,
  ) {
    this.patienceMs = options.patienceMs ?? 20_000
  }

  /** Makes a fixture, which is cleaned up at the end. */
  async made<F extends Disposable>(make: () => F | PromiseLike<F>): Promise<F> {
    const fixture = await this.unchecked('make() failed', async () => make())
    this.atEnd(() => fixture.dispose?.())
    this.#latest = fixture
    return fixture
  }

  /** What a skill of the latest fixture is invoked by. */
  nameOf(stored: string): string {
    return this.#latest.nameOf?.(stored) ?? stored
  }

  /** Says that the rule is broken. */
  broken(what: string, cause?: unknown): never {
    throw new ContractError(`Rule "${this.rule}": ${what}`, cause === undefined ? undefined : { cause })
  }

  /** Says that a fixture has to have what it may be told to do without. */
  lacking(owner: string, lack: string): never {
    return this.broken(
      `it cannot be checked, because the ${owner} has no ${lack}(). Give it one, or say why it has none: without: { ${lack}: '…' }.`,
    )
  }

  /** Breaks the rule unless something is as it has to be. */
  expectSame(what: string, found: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(found, expected)) this.broken(`${what} is ${shown(found)} instead of ${shown(expected)}.`)
  }

  /** Breaks the rule unless some work failed with an error of ours; gives that. */
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

  /** Breaks the rule where some work that was aborted failed otherwise than with an AbortError. */
  expectGivenUp<T>(outcome: Ended<T>, what: string): outcome is { readonly value: T } {
    if ('value' in outcome) return true
    if (isAbortError(outcome.error)) return false
    return this.broken(`${what} rejected with no AbortError but: ${messageOf(outcome.error)}`, outcome.error)
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

  /** What the fixture does; that it fails says nothing about the rule. */
  async unchecked<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw new ContractError(`Rule "${this.rule}": it could not be checked, because ${what}: ${messageOf(error)}`, {
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

/** A value as a sentence shows it: text in quotes. */
function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
