import { proposal, UsageError } from './usage-error.js'
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
}

/**
 * The command that the first words name: `list`, or two words of a group such as `plugin init`. Of a group's help the
 * command is `help`, and its arguments are the words.
 * @throws UsageError for words that name none, with the closest one
 */
export function findCommand(
  rows: readonly CommandRow[],
  words: readonly string[],
  { rest, isHelpWanted }: FindCommandOptions,
): FoundCommand {
  for (const count of [2, 1]) {
    const row = words.length < count ? undefined : rows.find(({ name }) => name === words.slice(0, count).join(' '))
    if (row !== undefined) return { row, args: words.slice(count) }
  }
  const names = rows.map(({ name }) => name)
  const [first, second] = words
  const group = first === undefined ? [] : names.filter(name => name.startsWith(`${first} `))
  if (first !== undefined && group.length > 0) {
    const help = rows.find(({ name }) => name === 'help')
    if (second === undefined && isHelpWanted && help !== undefined) return { row: help, args: words }
    if (second === undefined)
      throw new UsageError(
        `skills ${first} needs a command after it: ${group.map(name => name.slice(first.length + 1)).join(', ')}.`,
      )
    throw new UsageError(
      `There is no command "${first} ${second}".${proposal(`${first} ${second}`, group) || ` See skills ${first} --help.`}`,
    )
  }
  const [word] = [...words, ...rest]
  if (word !== undefined)
    throw new UsageError(`There is no command "${word}".${proposal(word, names) || ' See skills --help.'}`)
  return { args: [] }
}
