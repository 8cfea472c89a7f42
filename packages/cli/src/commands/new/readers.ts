import { agentsHere, knownAgents } from '@skills/distributions/internal'
import { findProjectFolders } from '@skills/files'
import { agentCatalog, missesIn } from '@skills/install/internal'
import type { Host } from '@skills/core'

/** Agents that find a new skill, and those that do not look in its folder. */
export interface Readers {
  readonly finding: readonly string[]
  readonly missing: readonly string[]
}

/** Returns the agents that are used here; all that are known if none is. */
export function agentsToAsk(host: Host): readonly string[] {
  const here = agentsHere(findProjectFolders(host).top, host).map(({ name }) => name)
  return here.length > 0 ? here : knownAgents
}

/**
 * Finds out which agents find a skill, by their own distributions.
 * @param folder folder of the skill, absolute
 */
export async function readersOf(
  agents: readonly string[],
  { name, folder }: { readonly name: string; readonly folder: string },
  host: Host,
  signal: AbortSignal,
): Promise<Readers> {
  const readers: { readonly finding: string[]; readonly missing: string[] } = { finding: [], missing: [] }
  for (const agent of agents) {
    const misses = missesIn(await agentCatalog(agent, host, signal), [{ name, folders: [folder] }])
    if (misses.length === 0) readers.finding.push(agent)
    // Any other reason is said by lint and explain.
    else if (misses.some(({ isElsewhere }) => isElsewhere)) readers.missing.push(agent)
  }
  return readers
}
