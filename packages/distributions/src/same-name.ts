import type { Collision, Diagnostic } from '@skills/core'

/**
 * A warning for each two names that look alike and are one name only to those who compare them in Unicode's composed
 * form: on a disk they are two folders that look alike.
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

/** A name with what tells it from others, which cannot be seen. */
function spelled(name: string): string {
  return name.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
