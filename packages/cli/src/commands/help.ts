import { commandTable, globalOptions, type CommandRow, type OptionRow } from '../command-table.js'
import { exitCodes, type Io } from '../io.js'
import { proposal, UsageError } from '../usage-error.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills --help`, `skills help COMMAND` and `skills COMMAND --help`. */
export function help({ command, args }: Invocation, { stdout }: Io): number {
  const name = command === 'help' ? args[0] : command
  const row = commandTable.find(one => one.name === name)
  if (name !== undefined && row === undefined) {
    throw new UsageError(`There is no command "${name}".${proposal(name, commandTable.map(one => one.name))}`)
  }
  stdout.write(row === undefined || row.name === 'help' ? generalHelp() : commandHelp(row))
  return exitCodes.ok
}

function generalHelp(): string {
  const commands = commandTable.map(({ name, args, text }) => [`skills ${name} ${args}`.trimEnd(), text] as const)
  return [
    'Find, list, explain and check the skills of your agents.',
    '',
    'Usage',
    ...columns([['skills', 'What there is, where it was looked for, what is wrong and what to do next'], ...commands]),
    '',
    'Options of every command',
    ...columns(globalOptions.map(asPair)),
    '',
    'Exit codes: 0 fine, 1 errors found or name unknown, 2 arguments not understood, 130 interrupted.',
    '',
  ].join('\n')
}

function commandHelp({ name, args, text, options, details }: CommandRow): string {
  return [
    `${text}.`,
    '',
    `Usage: skills ${name} ${['[options]', args].join(' ').trimEnd()}`,
    '',
    ...details,
    ...(details.length > 0 ? [''] : []),
    'Options',
    ...columns([...options, ...globalOptions].map(asPair)),
    '',
  ].join('\n')
}

function asPair({ flags, text }: OptionRow): readonly [string, string] {
  return [flags.replace(/<(.+)>/, (_, name: string) => name.toUpperCase()), text]
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
