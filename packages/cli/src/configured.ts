import { loadConfiguration } from '@skills/distributions/configuration'
import { openState } from '@skills/distributions/trust'
import type { Diagnostic, Host } from '@skills/core'
import type { Configuration } from '@skills/distributions/configuration'

/**
 * What configuration files say: which distribution, and options of it. What is wrong with them goes to `report`. Servers are left out:
 * this program starts none, and says so.
 */
export async function configured(host: Host, signal: AbortSignal, report: (diagnostic: Diagnostic) => void): Promise<Pick<Configuration, 'distribution' | 'options'>> {
  // Compiled to require(), which takes a path.
  const importModule = (path: string): Promise<unknown> => import(path)
  const { distribution, options: { mcp, ...options }, files, diagnostics } = await loadConfiguration(host, { state: openState(host, { report }), signal, importModule })
  diagnostics.forEach(report)
  const names = Object.keys(mcp?.servers ?? {})
  if (names.length > 0) {
    const path = files.at(-1)?.path
    report({
      severity: 'warning', type: 'source', code: 'servers-not-asked', ...path !== undefined && { path },
      message: `What the servers ${names.join(', ')} offer is not shown: this program starts none.`, hint: 'Ask the agent that uses them.',
    })
  }
  return { distribution, options }
}
