import type { Collision, Diagnostic } from '@skills/core'

/**
 * Returns a warning for each two names that differ, but are the same in Unicode's composed form. They look alike and
 * are two folders on a disk.
 */
export function alikeNames(collisions: readonly Collision[]): readonly Diagnostic[] {
  return collisions
    .filter(
      ({ winner: { command: one }, loser: { command: other } }) =>
        one.name !== other.name && one.name.normalize() === other.name.normalize(),
    )
    .map(({ name, winner, loser: { command, provider } }) => ({
      severity: 'warning',
      type: 'validation',
      code: 'same-name',
      name,
      provider,
      ...(command.type === 'prompt' && command.filePath !== undefined && { path: command.filePath }),
      message: `"${spelled(command.name)}" and "${spelled(winner.command.name)}" look alike and count as one name.`,
      hint: 'Rename one of them.',
    }))
}

/** Returns a name with its invisible differences as escapes. */
function spelled(name: string): string {
  return name.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
