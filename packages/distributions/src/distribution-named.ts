import { closestNames, SkillsError } from '@skills/core'
import type { Distribution, DistributionOptions } from './distribution.js'

export type MakeDistribution = (options: DistributionOptions) => Distribution

const known = {
  standard: async (): Promise<MakeDistribution> => (await import('./standard.js')).standard,
  'claude-code': async (): Promise<MakeDistribution> => (await import('./claude-code.js')).claudeCode,
  'claude-code-classic': async (): Promise<MakeDistribution> => (await import('./claude-code-classic.js')).claudeCodeClassic,
  opencode: async (): Promise<MakeDistribution> => (await import('./opencode.js')).opencode,
  mini: async (): Promise<MakeDistribution> => (await import('./mini.js')).mini,
  cocode: async (): Promise<MakeDistribution> => (await import('./cocode.js')).cocode,
}

export type DistributionName = keyof typeof known

/** Every name that {@link distributionNamed} knows. */
export const distributionNames: readonly DistributionName[] = Object.keys(known).filter(isKnown)

/**
 * The distribution that a configuration or a command line names; nothing of the others is read. Rejects with `E_INVALID_OPTION`
 * for any other name, and says which there are. See docs/reference.md, "Distributions".
 */
export async function distributionNamed(name: string): Promise<MakeDistribution> {
  if (isKnown(name)) return known[name]()
  const [close] = closestNames(name, distributionNames, 1)
  throw new SkillsError('E_INVALID_OPTION', `There is no distribution "${name}".`, {
    hint: `${close === undefined ? '' : `Did you mean "${close}"? `}There are ${distributionNames.join(', ')}.`,
  })
}

function isKnown(name: string): name is DistributionName {
  return Object.hasOwn(known, name)
}
