import type { EvaluateContext, Token } from '../template/expander.js'
import { splitArguments } from '../template/split-arguments.js'
import { commandWords } from './command-words.js'
import { Reference } from './reference.js'
import type { TextRules } from './options.js'

/** Arguments of one invocation, as the references of its body use them. */
export class ArgumentValues {
  /** True if there are any. */
  readonly areGiven: boolean
  /** All arguments as one text. */
  readonly text: string
  readonly #rules: TextRules
  readonly #tokens: readonly Token[]
  #words: readonly string[] | undefined
  #highest: number | undefined

  constructor({ args, tokens = [] }: Pick<EvaluateContext, 'args' | 'tokens'>, rules: TextRules) {
    const trimmed = args.trim()
    this.areGiven = trimmed !== ''
    this.text = rules.trim ? trimmed : args
    this.#rules = rules
    this.#tokens = tokens
  }

  /** Returns the value of a reference; undefined leaves it as it is written. */
  valueOf({ kind, index }: Reference): string | undefined {
    if (kind === 'all') return this.areGiven || this.#rules.emptyArguments === 'remove' ? this.text : undefined
    this.#words ??= this.#rules.words === 'command' ? commandWords(this.text) : splitArguments(this.text)
    const word = this.#words[index]
    if (kind === 'name') return word ?? ''
    if (
      kind === 'position' &&
      word !== undefined &&
      this.#rules.numbering === 'one' &&
      index === (this.#highest ??= highestPosition(this.#tokens))
    ) {
      return this.#words.slice(index).join(' ')
    }
    return word
  }
}

function highestPosition(tokens: readonly Token[]): number {
  let highest = -1
  for (const { data, children } of tokens) {
    if (data instanceof Reference && data.kind === 'position') highest = Math.max(highest, data.index)
    if (children.length > 0) highest = Math.max(highest, highestPosition(children))
  }
  return highest
}
