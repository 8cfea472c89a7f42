import { distributionNamed, distributionNames, type LoadedDistribution } from '@skills/distributions/distribution-named'
import type { MakeDistribution } from '@skills/distributions/internal'
import type { Diagnostic } from '@skills/core'
import type { Asked } from './own-distribution.js'

/** Values that {@link otherDistribution} needs. */
export interface Choosing extends Asked {
  readonly report: (diagnostic: Diagnostic) => void
}

/**
 * Loads a distribution other than `standard`. If it is code in a module or package, it is loaded only after the user
 * has agreed to it; at a terminal the user is asked. Returns undefined if the user cancels. Reports command-line
 * options that the distribution does not support. Rejects with `E_INVALID_OPTION` for an unknown name, and lists the
 * known ones.
 * @param chosen name or path, or a distribution that a configuration has loaded
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
  // The order of precedence names every source that the distribution has.
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
        hint: 'Leave the option out, or choose another distribution.',
      })
    }
  }
  return make
}
