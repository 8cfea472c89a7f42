import { distributionNamed, distributionNames, type LoadedDistribution } from '@skills/distributions/distribution-named'
import type { MakeDistribution } from '@skills/distributions/internal'
import type { Diagnostic } from '@skills/core'
import type { Asked } from './own-distribution.js'

/** What a distribution is chosen with. */
export interface Choosing extends Asked {
  readonly report: (diagnostic: Diagnostic) => void
}

/**
 * The distribution that is not `standard`; nothing of the others is read. One of a module or package is loaded once it
 * was agreed to, for which a person is asked; undefined when they give up. Options of the command line that it has no
 * use for go to `report`. Rejects with `E_INVALID_OPTION` for a name that there is not, and says which there are.
 * @param chosen its name or its path, or one that a configuration names and that is loaded
 */
export async function otherDistribution(
  chosen: string | LoadedDistribution,
  { report, ...asked }: Choosing,
): Promise<MakeDistribution | undefined> {
  const isOurs = typeof chosen !== 'string' || distributionNames.some(one => one === chosen)
  const make = isOurs
    ? await distributionNamed(chosen)
    : await (await import('./own-distribution.js')).ownDistribution(chosen, asked)
  if (make === undefined) return undefined
  const name = typeof chosen === 'string' ? chosen : chosen.name
  // What it has a source for stands in its order of precedence.
  const { precedence = [] } = make({ host: asked.host, onDiagnostic: report })
  const { addDirs, pluginDirs, marketplaces } = asked.invocation
  const missing = [
    ['--add-dir', addDirs, 'additional', 'further folders'],
    ['--plugin-dir', pluginDirs, 'plugin', 'plugins'],
    ['--marketplace', marketplaces, 'plugin', 'plugins'],
  ] as const
  for (const [flag, given, source, what] of missing) {
    if (given.length > 0 && !precedence.includes(source)) {
      report({
        severity: 'warning',
        type: 'source',
        code: 'option-without-effect',
        field: flag,
        message: `${name} has no ${what}, so ${flag} does nothing.`,
        hint: 'Leave it out, or choose another distribution.',
      })
    }
  }
  return make
}
