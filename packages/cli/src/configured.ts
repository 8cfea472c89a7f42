import { loadConfiguration } from '@skills/distributions/configuration'
import { openState } from '@skills/distributions/trust'
import type { Diagnostic, Host } from '@skills/core'
import type { StandardOptions } from '@skills/distributions/standard'

/**
 * What configuration files say, as options of the distribution. What is wrong with them goes to `report`. Servers are left out:
 * this program starts none, and says so.
 */
export async function configured(host: Host, signal: AbortSignal, report: (diagnostic: Diagnostic) => void): Promise<Partial<StandardOptions>> {
  // Compiled to require(), which takes a path.
  const importModule = (path: string): Promise<unknown> => import(path)
  const { options: { mcp, ...options }, files, diagnostics } = await loadConfiguration(host, { state: openState(host, { report }), signal, importModule })
  diagnostics.forEach(report)
  const names = Object.keys(mcp?.servers ?? {})
  if (names.length > 0) {
    const path = files.at(-1)?.path
    report({
      severity: 'warning', type: 'source', code: 'servers-not-asked', ...path !== undefined && { path },
      message: `What the servers ${names.join(', ')} offer is not shown: this program starts none.`, hint: 'Ask the agent that uses them.',
    })
  }
  return options
}
