import { globalOptions } from '../../arguments/global-options.js'
import { groups } from '../../arguments/groups.js'
import { longFlag } from '../../arguments/command-row.js'
import type { CommandDefinition } from '../../arguments/define-command.js'
import type { CommandRow } from '../../arguments/command-row.js'

type Pair = readonly [string, string]
/** Command with its row and its definition. */
type Defined = CommandDefinition & { readonly row: CommandRow }

/**
 * Returns the help with every command on one screen, in groups. Commands of two words share one line for their first
 * word.
 */
export function generalHelp(commands: readonly Defined[]): string {
  const lines: { readonly group: string; readonly pair: Pair }[] = []
  const seen = new Set(['help'])
  for (const { row, group, text } of commands) {
    const [first = ''] = row.name.split(' ')
    if (seen.has(first)) continue
    seen.add(first)
    const further = commands.flatMap(
      one => (one.row.name.startsWith(`${first} `) ? one.row.name.split(' ')[1] : []) ?? [],
    )
    // Several arguments would make the column too wide for one screen.
    const args = row.args.includes(' ') ? '…' : row.args
    if (further.length === 0) lines.push({ group, pair: [`${first} ${args}`.trimEnd(), text] })
    else
      lines.push({
        group,
        pair: [`${first} …`, row.name === first ? text : `${further.join(', ')}: skills ${first} --help`],
      })
  }
  const width = Math.max(...lines.map(({ pair: [left] }) => left.length))
  return [
    'skills [COMMAND]: find, list, explain, check and run the skills of your agents.',
    ...Object.entries(groups).flatMap(([name, title]) => [
      '',
      title,
      ...columns(
        lines.filter(({ group }) => group === name).map(({ pair }) => pair),
        width,
      ),
    ]),
    '',
    'Without COMMAND: all skills and problems. Options of one: skills COMMAND --help',
    'Exit codes: 0 fine, 1 errors or name unknown, 2 usage, 130 interrupted.',
    '',
  ].join('\n')
}

/** Returns the help of a group whose name is not a command itself. */
export function groupHelp(group: readonly Defined[]): string {
  return ['Usage', ...columns(group.map(asUsage)), '', 'Options of each', ...columns(globalPairs(group)), ''].join('\n')
}

/**
 * Returns the help of one command.
 * @param group commands of two words that begin with its name
 */
export function commandHelp(command: Defined, group: readonly Defined[]): string {
  const { row, text, details = [], options = {}, synonyms = [], actions = {} } = command
  const acts = Object.entries(actions)
  return [
    `${text}.`,
    '',
    `Usage: skills ${row.name} ${['[options]', argumentsOf(row)].join(' ').trimEnd()}`,
    ...(synonyms.length === 0 ? [] : [`Also:  ${synonyms.map(word => `skills ${word}`).join(', ')}`]),
    '',
    ...(details.length > 0 ? [details.join(' '), ''] : []),
    ...(acts.length === 0 ? [] : ['Actions', ...columns(acts), '']),
    ...(group.length === 0 ? [] : ['Further commands', ...columns(group.map(asUsage)), '']),
    'Options',
    ...columns([...Object.entries(options).map(asPair), ...globalPairs([command])]),
    '',
  ].join('\n')
}

function asUsage({ row, text }: Defined): Pair {
  return [`skills ${argued(row)}`, text]
}

const argued = (row: CommandRow): string => `${row.name} ${argumentsOf(row)}`.trimEnd()

function argumentsOf({ args, handsOn }: CommandRow): string {
  return handsOn === true ? `${args} [-- ARGS]` : args
}

/** Returns the global options that none of these commands rejects. */
function globalPairs(commands: readonly Defined[]): readonly Pair[] {
  const refused: readonly string[] = commands.flatMap(({ refuses = [] }) => refuses)
  return Object.entries(globalOptions)
    .filter(([option]) => !refused.includes(longFlag([option], option.replace(/[ ,].*/, ''))))
    .map(asPair)
}

function asPair([option, text]: Pair): Pair {
  return [option.replace(/<(.+)>(\.\.\.)?$/, (_, name: string) => name.toUpperCase()), text]
}

function columns(pairs: readonly Pair[], width = Math.max(...pairs.map(([left]) => left.length))): readonly string[] {
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
