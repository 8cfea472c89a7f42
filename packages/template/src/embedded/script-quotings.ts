import { bashQuoting } from './bash-quoting.js'
import { powershellQuoting } from './powershell-quoting.js'
import type { PromptCommand } from '@skills/core'
import type { Quotings, Reference } from './quoting.js'

/** Who runs an embedded command. */
export type Shell = PromptCommand['shell']

/**
 * How the shell reads the places of references in a script. Linear; nothing is run.
 * @param references in order, without overlap; offsets in UTF-16 code units
 */
export function scriptQuotings(shell: Shell, script: string, references: readonly Reference[]): Quotings {
  return (shell === 'bash' ? bashQuoting : powershellQuoting)(script, references)
}
