import { plainQuotings } from './plain-script.js'
import type { Quotings, Reference } from './quoting.js'

/**
 * Finds out how the shell quotes the places of references in a script. Linear; nothing is run.
 * @param references in order, without overlap; offsets in UTF-16 code units
 */
export async function scriptQuotings(
  shell: 'bash' | 'powershell',
  script: string,
  references: readonly Reference[],
): Promise<Quotings> {
  if (shell === 'bash')
    return plainQuotings(script, references) ?? (await import('./bash-quoting.js')).bashQuoting(script, references)
  return (await import('./powershell-quoting.js')).powershellQuoting(script, references)
}
