import { distributionNamed, type MakeDistribution } from '@skills/distributions/distribution-named'
import type { Diagnostic } from '@skills/core'
import type { Invocation } from './parse-arguments.js'

/**
 * The distribution of a name that is not `standard`; nothing of the others is read. Options of the command line that it has no
 * use for go to `report`. Rejects with `E_INVALID_OPTION` for a name that there is not, and says which there are.
 */
export async function otherDistribution(name: string, { addDirs, pluginDirs, marketplaces }: Pick<Invocation, 'addDirs' | 'pluginDirs' | 'marketplaces'>, report: (diagnostic: Diagnostic) => void): Promise<MakeDistribution> {
  const make = await distributionNamed(name)
  // What it has a source for stands in its order of precedence.
  const { precedence = [] } = make({ onDiagnostic: report })
  const missing = [['--add-dir', addDirs, 'additional', 'further folders'], ['--plugin-dir', pluginDirs, 'plugin', 'plugins'], ['--marketplace', marketplaces, 'plugin', 'plugins']] as const
  for (const [flag, given, source, what] of missing) {
    if (given.length > 0 && !precedence.includes(source)) {
      report({ severity: 'warning', type: 'source', code: 'option-without-effect', field: flag, message: `${name} has no ${what}, so ${flag} does nothing.`, hint: 'Leave it out, or choose another distribution.' })
    }
  }
  return make
}
