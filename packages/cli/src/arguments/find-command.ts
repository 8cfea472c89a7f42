import { UsageError } from './usage-error.js'
import type { ArgumentProblems } from './argument-problems.js'
import type { CommandRow } from './command-row.js'

export interface FoundCommand {
  /** Undefined when no word was given. */
  readonly row?: CommandRow
  /** The words after its name. */
  readonly args: readonly string[]
}

export interface FindCommandOptions {
  /** Words after `--`, which are looked at where there are no others. */
  readonly rest: readonly string[]
  readonly isHelpWanted: boolean
  /** Says what is wrong; without it that something is. */
  readonly problems?: ArgumentProblems | undefined
}

/**
 * The command that the first words name: `list`, or two words of a group such as `plugin init`. Of a group's help the
 * command is `help`, and its arguments are the words.
 * @throws UsageError for words that name none, with the closest one
 */
export function findCommand(
  rows: readonly CommandRow[],
  words: readonly string[],
  { rest, isHelpWanted, problems }: FindCommandOptions,
): FoundCommand {
  for (const count of [2, 1]) {
    const word = words.slice(0, count).join(' ')
    const row = words.length < count ? undefined : rows.find(one => one.name === word || one.synonyms?.includes(word))
    if (row !== undefined) return { row, args: words.slice(count) }
  }
  const [first, second] = words
  const isGroup = first !== undefined && rows.some(({ name }) => name.startsWith(`${first} `))
  const help = isGroup && second === undefined && isHelpWanted ? rows.find(({ name }) => name === 'help') : undefined
  if (help !== undefined) return { row: help, args: words }
  if (words.length + rest.length === 0) return { args: [] }
  throw new UsageError(problems?.unknownCommand(rows, words, rest) ?? '')
}
