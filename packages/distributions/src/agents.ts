import { checkedAgainst, type Checked } from './checked.js'
import { distributionNamed } from './distribution-named.js'
import type { MakeDistribution } from './distribution.js'

/** Agent program with the distribution that finds skills in the same way as the program. */
export interface FollowedAgent {
  /** Name of the distribution, such as `codex`. */
  readonly name: string
  /** Undefined for a distribution that follows a description, or that is this project's own. */
  readonly checked: Checked | undefined
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
  return Promise.all(names.map(async name => ({ name, checked: known[name], make: await distributionNamed(name) })))
}
