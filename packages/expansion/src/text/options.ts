import * as s from '@skills/core/schema'
import type { PromptCommand } from '@skills/core'

export const textExpanderOptions = s.options('textExpander()', {
  /**
   * Whether `$0` is the first position, or `$1`, where the highest position that is referred to takes the rest. Default
   * `zero`.
   */
  numbering: s.oneOf('zero', 'one').default('zero'),
  /**
   * Whether `$N` and `$ARGUMENTS[N]` refer to positions: with any number, only `$0` to `$9`, or not at all. Default
   * `many`.
   */
  digits: s.oneOf('many', 'one', 'none').default('many'),
  /** Whether `$1.50` and `$1a` are no position, but a price or another language's. */
  prices: s.flag().default(true),
  /**
   * How arguments are split: into words as a shell quotes them (default), or into those of the first command that a
   * shell would read, where an operator, a comment or the end of a line ends it.
   */
  words: s.oneOf('quoted', 'command').default('quoted'),
  /**
   * Whether `$name` refers to an argument that the skill declares; `no-bracket`: unless `[` follows, as in `$name[0]`.
   */
  names: s.either(s.flag(), s.oneOf('no-bracket')).default(true),
  /** Whether `${ARGUMENTS}` is another way to write `$ARGUMENTS`. */
  braces: s.flag().default(true),
  /** Whether `${ARGn}` is the n-th position, from 1. */
  argN: s.flag().default(false),
  /**
   * Whether `\$` is a literal `$`: everywhere, only where a reference or a variable could stand, only where a reference
   * to arguments stands behind that one backslash alone, or nowhere.
   */
  escapes: s.oneOf('all', 'references', 'arguments', 'none').default('all'),
  /** Whether white space around the arguments is dropped. */
  trim: s.flag().default(false),
  /** What becomes of `$ARGUMENTS` when there are none. */
  emptyArguments: s.oneOf('remove', 'keep').default('remove'),
  /**
   * Whether arguments that nothing refers to are put after the body and one blank line; `as-is`: after the body as it
   * ends, and a blank line.
   */
  appended: s.either(s.flag(), s.oneOf('as-is')).default(true),
  /** Whether the skill's folder is named before the body, or what stands there instead. */
  header: s.either(s.flag(), s.fn<(command: PromptCommand) => string | undefined>()).default(true),
  /** Whether anything refers to arguments at all. */
  arguments: s.flag().default(true),
  /** Which `${NAME}` are replaced. */
  variables: s.either(s.list(s.text()), s.oneOf('none', 'all')).default('all'),
  /** Whether `{baseDir}` is the skill's folder. */
  baseDirBraces: s.flag().default(true),
})

export interface TextExpanderOptions extends s.OptionsOf<typeof textExpanderOptions> {}

export type TextRules = ReturnType<typeof textExpanderOptions.read>
