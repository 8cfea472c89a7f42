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
export async function agentsNamed(
  names: readonly string[] = Object.keys(checkedAgainst),
): Promise<readonly FollowedAgent[]> {
  const known: Readonly<Record<string, Checked>> = checkedAgainst
  const { followed } = await import('./agents/followed.js')
  const makers: Readonly<Record<string, MakeDistribution>> = followed
  return Promise.all(
    names.map(async name => ({
      name,
      checked: known[name],
      make: (Object.hasOwn(makers, name) ? makers[name] : undefined) ?? (await distributionNamed(name)),
    })),
  )
}
