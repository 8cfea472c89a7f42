import * as s from '@skills/core/schema'
import type { PromptCommand } from '@skills/core'

export const textExpanderOptions = s.options('textExpander()', {
  /**
   * Numbering of positions. `zero` (default): `$0` is the first; `one`: `$1` is, and the highest position in the text
   * takes the rest.
   */
  numbering: s.oneOf('zero', 'one').default('zero'),
  /**
   * Positions by number, as `$N` and `$ARGUMENTS[N]`. `many` (default): any number; `one`: only `$0` to `$9`; `none`:
   * none.
   */
  digits: s.oneOf('many', 'one', 'none').default('many'),
  /**
   * Letters that make a longer word of a reference, so that it is none. `unicode` (default): all; `ascii`: those of
   * English, digits and `_`, so that `$1é` is `$1` and a letter.
   */
  letters: s.oneOf('unicode', 'ascii').default('unicode'),
  /**
   * True if a `!` of an argument that could begin an embedded command is written as `\!`, and apart from a backtick.
   * No argument runs in any case: this is how a program writes it that searches arguments for commands.
   */
  marksCommands: s.flag().default(false),
  /** True if `$1.50` and `$1a` are prices or text of other languages, not positions. */
  prices: s.flag().default(true),
  /**
   * Splitting of arguments. `quoted` (default): into words, quoted as in a shell; `command`: into the words of the
   * first shell command, which ends at an operator, a comment or a line end.
   */
  words: s.oneOf('quoted', 'command').default('quoted'),
  /**
   * True if `$name` refers to an argument that the skill declares; `no-bracket`: unless `[` follows, as in `$name[0]`.
   */
  names: s.either(s.flag(), s.oneOf('no-bracket')).default(true),
  /** True if `${ARGUMENTS}` means the same as `$ARGUMENTS`. */
  braces: s.flag().default(true),
  /** True if `${ARGn}` is the n-th position, counted from 1. */
  argN: s.flag().default(false),
  /**
   * Where `\$` is a literal `$`. `all`: everywhere; `references`: before a possible reference or variable; `arguments`:
   * before a reference to arguments, if only that one backslash stands there; `none`: nowhere.
   */
  escapes: s.oneOf('all', 'references', 'arguments', 'none').default('all'),
  /** True if white space around the arguments is removed. */
  trim: s.flag().default(false),
  /** Result of `$ARGUMENTS` without arguments: an empty text, or the reference as it is written. */
  emptyArguments: s.oneOf('remove', 'keep').default('remove'),
  /**
   * True if arguments that no reference uses are put after the body and one blank line; `as-is`: after the unchanged
   * body and two line breaks.
   */
  appended: s.either(s.flag(), s.oneOf('as-is')).default(true),
  /** True if the skill's folder is named before the body; a function returns other text for that place. */
  header: s.either(s.flag(), s.fn<(command: PromptCommand) => string | undefined>()).default(true),
  /** True if references to arguments are replaced at all. */
  arguments: s.flag().default(true),
  /** Names of the `${NAME}` that are replaced. */
  variables: s.either(s.list(s.text()), s.oneOf('none', 'all')).default('all'),
  /** True if `{baseDir}` is the skill's folder. */
  baseDirBraces: s.flag().default(true),
})

export interface TextExpanderOptions extends s.OptionsOf<typeof textExpanderOptions> {}

export type TextRules = ReturnType<typeof textExpanderOptions.read>
