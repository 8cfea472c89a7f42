import { sourceNames } from '@skills/files/source'
import type { Diagnostic } from '@skills/core'

/**
 * Returns the problem of an invalid name for a plugin; undefined if the name is valid.
 * @param place called for the position of the name
 * @param isStandard true if the name follows the Agent Plugins standard, which also allows periods
 */
export function nameProblem(
  name: string,
  place: () => Pick<Diagnostic, 'path' | 'line' | 'field'>,
  isStandard = false,
): Diagnostic | undefined {
  const refusal = (code: string, message: string, hint: string): Diagnostic => ({
    severity: 'error',
    type: 'validation',
    code,
    ...place(),
    message,
    hint,
  })
  // Prefixes of other commands, which a plugin of this name could imitate.
  if (sourceNames.includes(name) || name.startsWith('mcp__')) {
    return refusal(
      'reserved-plugin-name',
      `A plugin cannot be called "${name}": its commands would look like the commands of a source.`,
      'Give the plugin another name.',
    )
  }
  if (isStandard || /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return undefined
  return refusal(
    'invalid-plugin-name',
    `A plugin cannot be called ${JSON.stringify(name)}: a plugin name consists of lower-case letters and digits, with single hyphens between them.`,
    'Change the name in the manifest.',
  )
}
