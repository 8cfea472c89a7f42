/** Word of `[` or `test`, with everything that the script shows about it. */
export interface TestWord {
  /** Undefined if it is known only when the script runs. */
  readonly text: string | undefined
  /** True if it may become several words, or none. */
  readonly splits: boolean
}

const unary = /^-[a-hknoprstuwxzGLNOS]$/
const binary = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/

/**
 * True if `[` or `test` reads its words as the script shows them, whatever the values are. The script must then contain
 * the operator and fix the number of words. The operators `-v` and `-R` are excluded, since they evaluate a subscript.
 */
export function hasFixedOperator(words: readonly TestWord[]): boolean {
  if (words.some(({ splits }) => splits)) return false
  const [first, second] = words
  switch (words.length) {
    case 0:
    case 1:
      return true
    case 2:
      return first?.text === '!' || (first?.text !== undefined && unary.test(first.text))
    case 3:
      if (second?.text === undefined) return false
      if (binary.test(second.text)) return true
      return first?.text === '!' && hasFixedOperator(words.slice(1))
    case 4:
      return first?.text === '!' && hasFixedOperator(words.slice(1))
    default:
      return false
  }
}
