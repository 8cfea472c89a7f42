import { timedTest } from './timed-test.js'

/** Names with `|` or `,` between them. A text with any other character is a regular expression. */
const names = /^[\w\s,|-]*$/
/** Most answers that are kept. A host has hundreds of tools at most, but a hostile server may invent names. */
const keptAnswers = 1_000

/**
 * Decides which tools a hook is for. The source is a name, several names with `|` between them, or a regular expression
 * that is searched for in the name of the tool. An empty source and `*` stand for all tools.
 */
export class Matcher {
  readonly #names: ReadonlySet<string> | 'all' | undefined
  readonly #answers = new Map<string, boolean>()

  /**
   * @param limitMs milliseconds that a regular expression may take for one name
   * @param onUndecided called with a name that could not be decided in time
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

  /** @param name name of the tool; undefined if there is none, which only a hook for all tools matches */
  matches(name: string | undefined): boolean {
    if (this.#names === 'all') return true
    if (name === undefined) return false
    if (this.#names !== undefined) return this.#names.has(name)
    return this.#answers.get(name) ?? this.#find(name)
  }

  #find(name: string): boolean {
    const answer = timedTest(this.source, name, this.limitMs)
    // An undecided name counts as matching: the hook may be there to block a tool, and a name must not slip past it.
    if (typeof answer === 'string') this.onUndecided(name, answer)
    if (this.#answers.size >= keptAnswers) this.#answers.clear()
    this.#answers.set(name, answer !== false)
    return answer !== false
  }
}

function isAll(source: string): boolean {
  return source.trim() === '' || source.trim() === '*'
}
