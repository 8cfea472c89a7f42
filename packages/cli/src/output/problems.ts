import type { Diagnostic } from '@skills/core'

/** Returns for example `2 errors and 1 warning`, or an empty text if there are none. */
export function countsOf(problems: readonly Pick<Diagnostic, 'severity'>[]): string {
  const counts = (['error', 'warning'] as const).map(
    noun => [problems.filter(({ severity }) => severity === noun).length, noun] as const,
  )
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(' and ')
}

/** Returns a number with its noun: `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns `2 skills`, `2 commands`, or `2 skills and 1 command`. */
export function skillsAndCommands(skills: number, commands: number): string {
  if (commands === 0) return counted(skills, 'skill')
  return skills === 0 ? counted(commands, 'command') : `${counted(skills, 'skill')} and ${counted(commands, 'command')}`
}
