import { problem, reasonOf } from './read-offers.js'
import type { ServerLinkOptions } from './server-link-options.js'

/** Asks the host whether a server may be connected. If asking fails, the server is not allowed. */
export async function isAllowed({
  name,
  server: { from = 'host' },
  settings,
  report,
}: Pick<ServerLinkOptions, 'name' | 'server' | 'settings' | 'report'>): Promise<boolean> {
  try {
    return await settings.allows({ name, from })
  } catch (error) {
    report(
      problem(
        name,
        'mcp-server-failed',
        undefined,
        `The MCP server "${name}" is not used, because the check whether it is allowed failed: ${reasonOf(error)}.`,
      ),
    )
    return false
  }
}
