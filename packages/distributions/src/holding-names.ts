import type { Command } from '@skills/core'

/**
 * Makes a rule of a gate for one load, for programs that settle which skill has a name before they leave skills out: no
 * other skill takes the name of one that is left out. The engine asks about skills in order of precedence.
 */
export function holdingNames(
  refuses: (command: Command) => string | undefined,
): (command: Command) => string | undefined {
  const held = new Set<string>()
  return command => {
    const { name } = command
    if (held.has(name)) return 'A skill of the same name that has precedence is left out, and it holds the name.'
    const reason = refuses(command)
    if (reason !== undefined) held.add(name)
    return reason
  }
}
