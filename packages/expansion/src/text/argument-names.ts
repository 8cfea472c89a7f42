const continues = { unicode: /[\p{L}\p{N}_]/uy, ascii: /\w/y }

/** Finds, in a text, the names of arguments that a skill declares. */
export class ArgumentNames {
  readonly #indexes = new Map<string, number>()
  /** Lengths of the names, the longest first: of `issue` and `issue-number`, the longer match counts. */
  readonly #lengths: readonly number[]
  readonly #continues: RegExp

  /** @param letters those that make a longer word of a name; with `ascii`, a name may be `ARGUMENTS` */
  constructor(names: readonly string[], letters: keyof typeof continues = 'unicode') {
    this.#continues = continues[letters]
    for (const [index, name] of names.entries()) {
      // Names that have a meaning already.
      const isTaken = name === '' || (name === 'ARGUMENTS' && letters === 'unicode') || /^\d+$/.test(name)
      if (!isTaken && !this.#indexes.has(name)) this.#indexes.set(name, index)
    }
    this.#lengths = [...new Set([...this.#indexes.keys()].map(({ length }) => length))].sort(
      (one, other) => other - one,
    )
  }

  /**
   * Returns the declared name at a position, unless a longer word goes on there. `index` is its place among the
   * declared ones.
   */
  at(text: string, start: number): { readonly index: number; readonly end: number } | undefined {
    for (const length of this.#lengths) {
      const end = start + length
      // Near the end of the text, only a shorter name may fit.
      const index = end <= text.length ? this.#indexes.get(text.slice(start, end)) : undefined
      if (index === undefined) continue
      this.#continues.lastIndex = end
      if (!this.#continues.test(text)) return { index, end }
    }
    return undefined
  }
}
