const continues = /[\p{L}\p{N}_]/uy

/** The names that a skill declares for its arguments, to be found in a text. */
export class ArgumentNames {
  readonly #indexes = new Map<string, number>()
  /** The longest first: of `issue` and `issue-number` the text means the one that fits more of it. */
  readonly #lengths: readonly number[]

  constructor(names: readonly string[]) {
    for (const [index, name] of names.entries()) {
      // These have a meaning already.
      const isTaken = name === '' || name === 'ARGUMENTS' || /^\d+$/.test(name)
      if (!isTaken && !this.#indexes.has(name)) this.#indexes.set(name, index)
    }
    this.#lengths = [...new Set([...this.#indexes.keys()].map(({ length }) => length))].sort(
      (one, other) => other - one,
    )
  }

  /** The name at a position, unless it goes on there as another word would; its index among those declared. */
  at(text: string, start: number): { readonly index: number; readonly end: number } | undefined {
    for (const length of this.#lengths) {
      const end = start + length
      // The last of a text may be a shorter name.
      const index = end <= text.length ? this.#indexes.get(text.slice(start, end)) : undefined
      if (index === undefined) continue
      continues.lastIndex = end
      if (!continues.test(text)) return { index, end }
    }
    return undefined
  }
}
