import { bashQuoting } from './bash-quoting.js'
import { powershellQuoting } from './powershell-quoting.js'
import type { Quotings, Reference } from './quoting.js'

/**
 * How the shell reads the places of references in a script. Linear; nothing is run.
 * @param references in order, without overlap; offsets in UTF-16 code units
 */
export function scriptQuotings(
  shell: 'bash' | 'powershell',
  script: string,
  references: readonly Reference[],
): Quotings {
  return (shell === 'bash' ? bashQuoting : powershellQuoting)(script, references)
}
