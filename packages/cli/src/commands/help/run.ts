import { globalOptions, type CommandRow } from '../../arguments/command-row.js'
import { commandTable, type CommandName } from '../../arguments/command-table.js'
import { commandTexts, globalTexts } from '../../arguments/command-texts.js'
import { exitCodes, type Io } from '../../io.js'
import { folded } from '../../output/folded.js'
import { flagsOf, longFlag } from '../../arguments/option.js'
import { proposal, UsageError } from '../../arguments/usage-error.js'
import type { Invocation } from '../../arguments/parse-arguments.js'

type Pair = readonly [string, string]

const rows: readonly (CommandRow & { readonly name: CommandName })[] = commandTable

/** `skills --help`, `skills help COMMAND` and `skills COMMAND --help`. */
export function help({ command, args }: Invocation, io: Io): number {
  const { stdout } = io
  const name = command === 'help' ? args.join(' ') : (command ?? '')
  const row = rows.find(one => one.name === name)
  const group = rows.filter(one => one.name.startsWith(`${name} `))
  // Into a file too: the names of all distributions are a long line.
  const write = (text: string): void =>
    stdout.write(folded(text, stdout.isTerminal ? stdout : { isTerminal: true, columns: 120 }, io))
  if (name === '' || name === 'help') write(generalHelp())
  else if (row !== undefined) write(commandHelp(row, stdout.isTerminal))
  else if (group.length > 0) write(groupHelp(group))
  else
    throw new UsageError(
      `There is no command "${name}".${proposal(
        name,
        rows.map(one => one.name),
      )}`,
    )
  return exitCodes.ok
}

function generalHelp(): string {
  return [
    'Find, list, explain, check and run the skills of your agents.',
    '',
    'Usage',
    ...columns([
      ['skills', 'What there is, where it was looked for, what is wrong and what to do next'],
      ...rows.map(asUsage),
    ]),
    '',
    'Options of every command that looks at skills, and of others as their help says',
    ...columns(globalPairs([])),
    '',
    'Exit codes: 0 fine, 1 errors found or name unknown, 2 arguments not understood, 130 interrupted.',
    '',
  ].join('\n')
}

function groupHelp(group: typeof rows): string {
  return ['Usage', ...columns(group.map(asUsage)), '', 'Options of each', ...columns(globalPairs(group)), ''].join('\n')
}

/**
 * @param isFolded whether lines are broken later: a paragraph is then one line, as it would be broken twice otherwise
 */
function commandHelp(row: (typeof rows)[number], isFolded: boolean): string {
  const {
    text,
    details,
    options,
  }: { text: string; details: readonly string[]; options: Readonly<Record<string, string>> } = commandTexts[row.name]
  return [
    `${text}.`,
    '',
    `Usage: skills ${row.name} ${['[options]', argumentsOf(row)].join(' ').trimEnd()}`,
    '',
    ...(isFolded && details.length > 0 ? [details.join(' ')] : details),
    ...(details.length > 0 ? [''] : []),
    'Options',
    ...columns([...row.options.map(option => asPair(option, options)), ...globalPairs([row])]),
    '',
  ].join('\n')
}

function asUsage(row: (typeof rows)[number]): Pair {
  return [`skills ${row.name} ${argumentsOf(row)}`.trimEnd(), commandTexts[row.name].text]
}

function argumentsOf({ args, handsOn }: CommandRow): string {
  return handsOn === true ? `${args} [-- ARGS]` : args
}

/** Those that none of these commands refuses. */
function globalPairs(commands: readonly CommandRow[]): readonly Pair[] {
  const refused: readonly string[] = commands.flatMap(({ refuses = [] }) => refuses)
  return globalOptions
    .filter(option => !flagsOf(option).some(flag => refused.includes(flag)))
    .map(option => asPair(option, globalTexts))
}

function asPair(option: string, texts: Readonly<Record<string, string>>): Pair {
  return [
    option.replace(/<(.+)>(\.\.\.)?$/, (_, name: string) => name.toUpperCase()),
    texts[longFlag([option], option.replace(/[ ,].*/, ''))] ?? '',
  ]
}

function columns(pairs: readonly Pair[]): readonly string[] {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
