import { closestNames, SkillsError } from '@skills/core'
import { checkedAgainst, type Checked } from './checked.js'
import { agents } from './agents/index.js'
import type { MakeDistribution } from './distribution.js'

/** Distribution from a module or package, loaded after a person agreed to it. */
export interface LoadedDistribution {
  /** Name as it was given: a path, or the name of a package. */
  readonly name: string
  /** Throws `E_INVALID_OPTION` if the module returns no distribution. */
  readonly make: MakeDistribution
}

export type DistributionName = keyof typeof agents

/** Names that {@link distributionNamed} knows. */
export const distributionNames: readonly DistributionName[] = Object.keys(agents).filter(isKnown)

/**
 * Loads the distribution that a configuration or a command line names, and no other one. Rejects with
 * `E_INVALID_OPTION` for an unknown name; the message lists the known names. See docs/reference/distributions.md,
 * "Distributions".
 * @param given name, or a distribution that `loadConfiguration()` or `loadDistribution()` loaded
 */
export async function distributionNamed(given: string | LoadedDistribution): Promise<MakeDistribution> {
  if (typeof given !== 'string') return given.make
  const name = given
  if (isKnown(name)) return agents[name].load()
  throw noDistribution(name)
}

/**
 * Makes the error for an unknown distribution, with the known names.
 * @param more sentence with further possibilities
 */
export function noDistribution(name: string, more = ''): SkillsError {
  const [close] = closestNames(name, distributionNames, 1)
  return new SkillsError('E_INVALID_OPTION', `There is no distribution "${name}".`, {
    hint: `${close === undefined ? '' : `Did you mean "${close}"? `}There are ${distributionNames.map(withVersion).join(', ')}.${more}`,
  })
}

/** Returns a name with the version of the program that it was checked against, such as `codex (0.169.0)`. */
function withVersion(name: DistributionName): string {
  const checked: Readonly<Partial<Record<DistributionName, Checked>>> = checkedAgainst
  const version = checked[name]?.version
  return version === undefined ? name : `${name} (${version})`
}

export function isKnown(name: string): name is DistributionName {
  return Object.hasOwn(agents, name)
}
