import { proposal, UsageError } from '../../arguments/usage-error.js'
import { exitCodes, type Io } from '../../io.js'
import { folded } from '../../output/folded.js'
import { commandHelp, generalHelp, groupHelp } from './text.js'
import type { AnyInvocation } from '../../arguments/invocation.js'
import type { Commands } from '../../arguments/commands.js'

/** `skills --help`, `skills help COMMAND` and `skills COMMAND --help`. */
export async function run({ command, args }: AnyInvocation, io: Io, commands: Commands): Promise<number> {
  const { stdout } = io
  const name = command === 'help' ? args.join(' ') : (command ?? '')
  const known = commands.find(one => one.name === name || one.synonyms?.includes(name))
  const group = await Promise.all(commands.filter(one => one.name.startsWith(`${known?.name ?? name} `)).map(defined))
  // Text in a file is folded too, because the names of all distributions are a long line.
  const write = (text: string): void =>
    stdout.write(folded(text, stdout.isTerminal ? stdout : { isTerminal: true, columns: 120 }, io))
  if (name === '' || name === 'help') write(generalHelp(await Promise.all(commands.map(defined))))
  else if (known !== undefined) write(commandHelp(await defined(known), group))
  else if (group.length > 0) write(groupHelp(group))
  else
    throw new UsageError(
      `There is no command "${name}".${proposal(
        name,
        commands.map(one => one.name),
      )}`,
    )
  return exitCodes.ok
}

/** Adds the definition of a command to its row. */
async function defined(row: Commands[number]) {
  const { command } = await row.definition()
  return { row, ...command }
}
