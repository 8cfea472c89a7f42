import { SkillsError, type Diagnostic, type Host } from '@skills/core'
import type { Configuration, JudgedItem } from '@skills/distributions/configuration'
import type { LoadedDistribution, StandardOptions } from '@skills/distributions/internal'
import type { MakeDistribution } from '@skills/distributions'

interface Finding {
  readonly report: (diagnostic: Diagnostic) => void
  readonly signal: AbortSignal | undefined
}

/** Content of the configuration files, as read for a host. */
export interface HostConfiguration {
  readonly distribution: Configuration['distribution']
  readonly unagreed: readonly JudgedItem[]
  /** Merges the host's own options over those of the files. */
  over(own: Partial<StandardOptions>): Partial<StandardOptions>
}

/**
 * Reads the configuration files of the user and of the project. Entries of the project apply only if a person agreed to
 * them. Problems are passed to `report`. Rejects if the state rejects.
 */
export async function configurationOf(host: Host, { report, signal }: Finding): Promise<HostConfiguration> {
  const [{ joinedOptions, loadConfiguration }, { openState }] = await Promise.all([
    import('@skills/distributions/configuration'),
    import('@skills/distributions/trust'),
  ])
  const state = openState(host, { report })
  const { options, distribution, unagreed, diagnostics } = await loadConfiguration(host, { state, signal })
  diagnostics.forEach(report)
  return { distribution, unagreed, over: own => ({ ...own, ...joinedOptions(options, own) }) }
}

/**
 * Returns the distribution of a name, a path or a package. Rejects with `E_INVALID_OPTION` if it does not exist, and
 * with `E_DENIED` if a person has not agreed to its code.
 */
export async function namedDistribution(
  given: string | LoadedDistribution,
  host: Host,
  { report, signal }: Finding,
): Promise<MakeDistribution> {
  if (typeof given !== 'string') return given.make
  // The usual one is loaded without the others.
  if (given === 'standard') return (await import('@skills/distributions/standard')).standard
  const { distributionNamed, distributionNames } = await import('@skills/distributions/distribution-named')
  if (distributionNames.some(name => name === given)) return distributionNamed(given)
  const [{ loadDistribution }, { openState }] = await Promise.all([
    import('@skills/distributions/configuration'),
    import('@skills/distributions/trust'),
  ])
  const found = await loadDistribution(given, host, { state: openState(host, { report }), signal })
  if ('make' in found) return found.make
  throw new SkillsError(
    'E_DENIED',
    `The distribution "${given}" is code that was not agreed to as it is now, and nothing of it ran: ${found.unagreed.map(({ path }) => path).join(', ')}.`,
    { hint: `Look at it, then trust the folder: skills trust ${found.folder}` },
  )
}
