import { timedTest } from './timed-test.js'

/** Names with `|` or `,` between them; what has any other character is a regular expression. */
const names = /^[\w\s,|-]*$/
/** Answers that are kept: a host has hundreds of tools at most, a hostile server may make names up. */
const keptAnswers = 1_000

/**
 * Tells which tools a hook is for: a name, several with `|` between them, a regular expression that is searched for in
 * the name; empty or `*` is all.
 */
export class Matcher {
  readonly #names: ReadonlySet<string> | 'all' | undefined
  readonly #answers = new Map<string, boolean>()

  /**
   * @param limitMs milliseconds that a regular expression may take for one name
   * @param onUndecided told of a name that could not be decided about
   */
  constructor(
    private readonly source: string,
    private readonly limitMs: number,
    private readonly onUndecided: (name: string, why: string) => void,
  ) {
    this.#names = isAll(source)
      ? 'all'
      : names.test(source)
        ? new Set(source.split(/[|,]/).map(name => name.trim()))
        : undefined
  }

  /** @param name of a tool; undefined where there is none, which only a hook for all tools matches */
  matches(name: string | undefined): boolean {
    if (this.#names === 'all') return true
    if (name === undefined) return false
    if (this.#names !== undefined) return this.#names.has(name)
    return this.#answers.get(name) ?? this.#find(name)
  }

  #find(name: string): boolean {
    const answer = timedTest(this.source, name, this.limitMs)
    // One that cannot be told is asked: a hook may be there to keep a tool from being used, and a name must not slip
    // past it.
    if (typeof answer === 'string') this.onUndecided(name, answer)
    if (this.#answers.size >= keptAnswers) this.#answers.clear()
    this.#answers.set(name, answer !== false)
    return answer !== false
  }
}

function isAll(source: string): boolean {
  return source.trim() === '' || source.trim() === '*'
}
