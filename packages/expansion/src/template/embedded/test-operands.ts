/** A word of `[` or `test` as far as the script shows it. */
export interface TestWord {
  /** Undefined where it shows only when it runs. */
  readonly text: string | undefined
  /** Whether it may become several words, or none. */
  readonly splits: boolean
}

const unary = /^-[a-hknoprstuwxzGLNOS]$/
const binary = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/

/**
 * Whether `[` or `test` reads its words as the script shows them, regardless of what the others hold: the operator is
 * written there, their number is known, and it is neither `-v` nor `-R`, which evaluate a subscript.
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
