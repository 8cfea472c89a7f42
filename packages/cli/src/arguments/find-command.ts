import { UsageError } from './usage-error.js'
import type { ArgumentProblems } from './argument-problems.js'
import type { CommandRow } from './command-row.js'

export interface FoundCommand {
  /** Undefined if no word was given. */
  readonly row?: CommandRow
  /** Words after the command's name. */
  readonly args: readonly string[]
}

export interface FindCommandOptions {
  /** Words after `--`; used if there are no words before it. */
  readonly rest: readonly string[]
  readonly isHelpWanted: boolean
  /** Messages for errors. Default: errors have an empty message. */
  readonly problems?: ArgumentProblems | undefined
}

/**
 * Finds the command that the first words name: `list`, or two words of a group such as `plugin init`. For the help of a
 * group it returns the command `help` with the words as arguments.
 * @throws UsageError for an unknown command, with the closest known one
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
