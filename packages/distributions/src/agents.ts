import { checkedAgainst, type Checked } from './checked.js'
import { distributionNamed } from './distribution-named.js'
import { isPlaced, placedAgents, type PlacedAgent } from './placed-agents.js'
import type { MakeDistribution } from './distribution.js'

/** Agent program with the distribution that finds skills in the same way as the program. */
export interface FollowedAgent {
  /** Name of the distribution, such as `codex`. */
  readonly name: string
  /** Undefined for a distribution that follows a description, or that is this project's own. */
  readonly checked: Checked | undefined
  /** Facts about an agent of which only the places are known. Nothing is known of its listing then. */
  readonly placed?: PlacedAgent | undefined
  readonly make: MakeDistribution
}

/**
 * Returns distributions by name, for comparisons such as `compat()` of `@skills/inspect/compat`. Rejects with
 * `E_INVALID_OPTION` for a name that does not exist.
 * @param names default: the distributions that were checked against a released program
 */
export async function agentsNamed(names?: readonly string[]): Promise<readonly FollowedAgent[]> {
  const known: Readonly<Record<string, Checked>> = checkedAgainst
  if (names === undefined) {
    const { followed } = await import('./agents/followed.js')
    return Object.entries(followed).map(([name, make]) => ({ name, checked: known[name], make }))
  }
  return Promise.all(
    names.map(async name => ({
      name,
      checked: known[name],
      ...(isPlaced(name) && { placed: placedAgents[name] }),
      make: await agentNamed(name),
    })),
  )
}

/**
 * Returns the distribution of an agent: as `distributionNamed()` does, and for an agent of which only the places are
 * known one that looks there. Rejects with `E_INVALID_OPTION` for any other name.
 */
export async function agentNamed(name: string): Promise<MakeDistribution> {
  if (!isPlaced(name)) return distributionNamed(name)
  return (await import('./placed-distribution.js')).placedDistribution(name)
}
