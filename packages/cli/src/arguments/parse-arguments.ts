import { UsageError } from './usage-error.js'
import { globalOptions } from '../commands/first.js'
import { flagsOf, isRepeatable, longFlag, takesValue } from './command-row.js'
import type { ArgumentProblems } from './argument-problems.js'
import type { CommandRow } from './command-row.js'
import type { AnyInvocation } from './invocation.js'

interface FoundCommand {
  /** Undefined if no word was given. */
  readonly row?: CommandRow
  /** Words after the command's name. */
  readonly args: readonly string[]
}

interface FindCommandOptions {
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

/** Command line split into words and options, before any check. */
interface Taken {
  /** Words before `--` that are neither options nor their values. */
  readonly words: readonly string[]
  /** Words after `--`. */
  readonly rest: readonly string[]
  readonly options: readonly TakenOption[]
}

interface TakenOption {
  readonly flag: string
  /** Undefined without a value. For an option that takes none, the text after its `=`. */
  readonly value: string | undefined
}

/**
 * Parses the arguments after the program's name. Options may come before or after the command, as `--name value` or
 * `--name=value`. Words stay as typed.
 * @param rows all known commands
 * @param problems messages for errors; default: errors have an empty message
 * @throws UsageError for invalid arguments, with the closest command or option
 */
export function parseArguments(
  argv: readonly string[],
  rows: readonly CommandRow[],
  problems?: ArgumentProblems,
): AnyInvocation {
  const wrong = (text: (say: ArgumentProblems) => string): never => {
    throw new UsageError(problems === undefined ? '' : text(problems))
  }
  const { words, rest, options } = takeApart(argv, rows)
  const given = new Map<string, readonly string[]>()
  const isHelpWanted = options.some(({ flag }) => longFlag(globalOptions, flag) === '--help')
  const { row, args } = findCommand(rows, words, { rest, isHelpWanted, problems })
  const known = [...(row?.options ?? []), ...globalOptions]
  for (const { flag, value } of options) {
    const option = known.find(one => flagsOf(one).includes(flag))
    if (option === undefined) return wrong(say => say.unknownFlag(flag, row, known, rows))
    if (!takesValue(option) && value !== undefined) wrong(say => say.needlessValue(flag))
    if (takesValue(option) && (value === undefined || value === '')) wrong(say => say.missingValue(flag))
    if (!isHelpWanted && row?.refuses?.some(one => one === longFlag(known, flag)) === true)
      wrong(say => say.meaninglessFlag(flag, row))
    const before = given.get(longFlag(known, flag)) ?? []
    if (before.length > 0 && takesValue(option) && !isRepeatable(option)) wrong(say => say.repeatedFlag(flag))
    given.set(longFlag(known, flag), [...before, value ?? ''])
  }
  const handsOn = row?.handsOn === true
  const all = handsOn ? args : [...args, ...rest]
  if (row !== undefined && !isHelpWanted && (all.includes('') || all.length < row.least || all.length > row.most))
    wrong(say => say.wrongCount(all, row))

  const has = (flag: string): boolean => given.has(flag)
  const texts = (flag: string): readonly string[] => given.get(flag) ?? []
  const text = (flag: string): string | undefined => texts(flag)[0]
  return {
    command: row?.name,
    args: all,
    rest: handsOn ? rest : [],
    isHelpWanted,
    isVersionWanted: has('--version'),
    distribution: text('--distribution'),
    cwd: text('--cwd'),
    home: text('--home'),
    addDirs: texts('--add-dir'),
    pluginDirs: texts('--plugin-dir'),
    marketplaces: texts('--marketplace'),
    isColorless: has('--no-color'),
    json: has('--json'),
    has,
    text,
    texts,
  }
}

/** Returns the value of `--cwd`, for any command. */
export function givenFolder(argv: readonly string[]): string | undefined {
  return takeApart(argv, []).options.find(({ flag }) => flag === '--cwd')?.value
}

function takeApart(argv: readonly string[], rows: readonly CommandRow[]): Taken {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const valued = [...globalOptions, ...rows.flatMap(({ options }) => options)].filter(takesValue).flatMap(flagsOf)
  const words: string[] = []
  const options: TakenOption[] = []
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? ''
    const equals = word.indexOf('=')
    if (!isOption(word)) words.push(word)
    else if (equals > 0) options.push({ flag: word.slice(0, equals), value: word.slice(equals + 1) })
    else {
      const next = before[at + 1]
      const value = valued.includes(word) && next !== undefined && !isOption(next) ? next : undefined
      if (value !== undefined) at++
      options.push({ flag: word, value })
    }
  }
  return { words, rest: end === -1 ? [] : argv.slice(end + 1), options }
}

/** Returns true for an option. A lone hyphen is a word: commands use it for standard input. */
function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}
