import { SkillsError, type PromptCommand } from '@skills/core'

export interface TextExpanderOptions {
  /**
   * Whether `$0` is the first position, or `$1`, where the highest position that is referred to takes the rest. Default
   * `zero`.
   */
  readonly numbering?: 'zero' | 'one'
  /**
   * Whether `$N` and `$ARGUMENTS[N]` refer to positions: with any number, only `$0` to `$9`, or not at all. Default
   * `many`.
   */
  readonly digits?: 'many' | 'one' | 'none'
  /** Whether `$1.50` and `$1a` are no position, but a price or another language's. Default true. */
  readonly prices?: boolean
  /**
   * How arguments are split: into words as a shell quotes them (default), or into those of the first command that a
   * shell would read, where an operator, a comment or the end of a line ends it.
   */
  readonly words?: 'quoted' | 'command'
  /**
   * Whether `$name` refers to an argument that the skill declares; `no-bracket`: unless `[` follows, as in `$name[0]`.
   * Default true.
   */
  readonly names?: boolean | 'no-bracket'
  /** Whether `${ARGUMENTS}` is another way to write `$ARGUMENTS`. Default true. */
  readonly braces?: boolean
  /** Whether `${ARGn}` is the n-th position, from 1. Default false. */
  readonly argN?: boolean
  /**
   * Whether `\$` is a literal `$`: everywhere, only where a reference or a variable could stand, only where a reference
   * to arguments stands behind that one backslash alone, or nowhere. Default `all`.
   */
  readonly escapes?: 'all' | 'references' | 'arguments' | 'none'
  /** Whether white space around the arguments is dropped. Default false. */
  readonly trim?: boolean
  /** What becomes of `$ARGUMENTS` when there are none. Default `remove`. */
  readonly emptyArguments?: 'remove' | 'keep'
  /**
   * Whether arguments that nothing refers to are put after the body and one blank line; `as-is`: after the body as it
   * ends, and a blank line. Default true.
   */
  readonly appended?: boolean | 'as-is'
  /** Whether the skill's folder is named before the body, or what stands there instead. Default true. */
  readonly header?: boolean | ((command: PromptCommand) => string | undefined)
  /** Whether anything refers to arguments at all. Default true. */
  readonly arguments?: boolean
  /** Which `${NAME}` are replaced. Default `all`. */
  readonly variables?: 'all' | 'none' | readonly string[]
  /** Whether `{baseDir}` is the skill's folder. Default true. */
  readonly baseDirBraces?: boolean
}

export type TextRules = Required<TextExpanderOptions>

const defaults: TextRules = {
  numbering: 'zero',
  digits: 'many',
  prices: true,
  words: 'quoted',
  names: true,
  braces: true,
  argN: false,
  escapes: 'all',
  trim: false,
  emptyArguments: 'remove',
  appended: true,
  header: true,
  arguments: true,
  variables: 'all',
  baseDirBraces: true,
}

const words = {
  numbering: ['zero', 'one'],
  digits: ['many', 'one', 'none'],
  words: ['quoted', 'command'],
  escapes: ['all', 'references', 'arguments', 'none'],
  emptyArguments: ['remove', 'keep'],
} as const

/** The options with their defaults. Throws `E_INVALID_OPTION` for a word that is none of the accepted ones. */
export function textRules(options: TextExpanderOptions): TextRules {
  const rules = {
    ...defaults,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  }
  for (const [name, accepted] of Object.entries(words)) wordOf(name, rules[name as keyof typeof words], accepted)
  if (!Array.isArray(rules.variables)) wordOf('variables', rules.variables, ['all', 'none'])
  return rules
}

function wordOf(name: string, value: unknown, accepted: readonly string[]): void {
  if (accepted.some(word => word === value)) return
  throw new SkillsError('E_INVALID_OPTION', `textExpander() was given ${name}: ${JSON.stringify(value)}.`, {
    hint: `It can be ${accepted.map(word => `'${word}'`).join(', ')}.`,
  })
}
