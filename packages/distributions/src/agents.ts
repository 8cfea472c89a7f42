import { checkedAgainst, type Checked } from './checked.js'
import { distributionNamed } from './distribution-named.js'
import type { MakeDistribution } from './distribution.js'

/** A program whose skills a distribution finds as the program does. */
export interface FollowedAgent {
  /** Of the distribution: `codex`. */
  readonly name: string
  /** Undefined of a distribution that follows a description, or is this project's own. */
  readonly checked: Checked | undefined
  readonly make: MakeDistribution
}

/**
 * Distributions by name, for what compares them, such as `compat()` of `@skills/inspect/compat`. Rejects with
 * `E_INVALID_OPTION` for a name that there is not.
 * @param names default: those that were checked against a released program
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
