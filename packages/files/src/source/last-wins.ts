import { nameKey, type Collision, type Command, type Diagnostic } from '@skills/core'

/** Returns the last command of each name, in the order of discovery, followed by the commands that these overwrite. */
export function lastFirst(commands: readonly Command[]): readonly Command[] {
  const last = new Map(commands.map(command => [nameKey(command.name), command]))
  const isLast = (command: Command): boolean => last.get(nameKey(command.name)) === command
  return [...commands.filter(isLast), ...commands.filter(command => !isLast(command))]
}

/** Returns a warning for each command that a command found later overwrites. */
export function overwritten(commands: readonly Command[]): readonly Diagnostic[] {
  const kept = new Map<string, Command>()
  return commands.flatMap((command): readonly Diagnostic[] => {
    const key = nameKey(command.name)
    const winner = kept.get(key)
    if (winner === undefined) kept.set(key, command)
    const [path, other] = [command, winner].map(one => (one?.type === 'prompt' ? one.filePath : undefined))
    return winner === undefined || path === undefined
      ? []
      : [
          {
            severity: 'warning',
            type: 'validation',
            code: 'overwritten',
            name: command.name,
            path,
            message: `"${command.name}" is overwritten by ${other ?? 'another one'}, which was found later.`,
            hint: 'Rename one of the two skills.',
          },
        ]
  })
}

/**
 * Returns the warnings for commands that another source's command overwrites, for `createSkills({ warningsOf })`. For
 * each source, only one command of each name is reported; with `wins: 'last'` the source itself reports its other
 * commands of that name. See docs/reference/skill-files.md, "Layouts".
 */
export function overwrittenAcrossSources(collisions: readonly Collision[]): readonly Diagnostic[] {
  const told = new Set<string>()
  return collisions.flatMap(({ name, winner, loser }): readonly Diagnostic[] => {
    const key = `${loser.provider}\0${name}`
    if (loser.provider === winner.provider || told.has(key)) return []
    told.add(key)
    return overwritten([winner.command, loser.command]).map(warning => ({ ...warning, provider: loser.provider }))
  })
}
