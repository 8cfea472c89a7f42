import { plainQuotings } from './plain-script.js'
import type { Quotings, Reference } from './quoting.js'

/**
 * Finds out how the places of references are quoted in a shell script. Takes linear time and runs nothing.
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
