import { skillsHere } from '@skills/inspect/internal'
import type { Catalog, Host } from '@skills/core'
import type { Here } from './load-here.js'

/**
 * Describes the nearest of the project's folders that has skills in any form. Returns undefined if there is none, or if
 * the catalog already has its skills.
 */
export async function lookHere(host: Host, looked: Catalog, signal: AbortSignal): Promise<Here | undefined> {
  const [first, ...also] = skillsHere(host, looked)
  // Most projects have no such folder, so loading it is not part of the overview.
  return first && (await import('./load-here.js')).loadHere(first, also, host, signal)
}
