import type { Command, Diagnostic } from '@skills/core'

/** The last of each name as they were found, then those that they take it from. */
export function lastFirst(commands: readonly Command[]): readonly Command[] {
  const last = new Map(commands.map(command => [command.name, command]))
  const isLast = (command: Command): boolean => last.get(command.name) === command
  return [...commands.filter(isLast), ...commands.filter(command => !isLast(command))]
}

/** Where one found later takes the name of one found before, somebody may miss that one. */
export function overwritten(commands: readonly Command[]): readonly Diagnostic[] {
  const kept = new Map<string, Command>()
  return commands.flatMap((command): readonly Diagnostic[] => {
    const winner = kept.get(command.name)
    if (winner === undefined) kept.set(command.name, command)
    const [path, other] = [command, winner].map(one => one?.type === 'prompt' ? one.filePath : undefined)
    return winner === undefined || path === undefined ? [] : [{
      severity: 'warning', type: 'validation', code: 'overwritten', name: command.name, path,
      message: `"${command.name}" is overwritten by ${other ?? 'another one'}, which was found later.`, hint: 'Rename one of them.',
    }]
  })
}
