import { namesServers } from './names-servers.js'
import type { Host, Provider } from '@skills/core'
import type { McpSourceOptions } from '@skills/source-mcp'
import type { Layout } from '@skills/files/source'
import type { PublishedOptions } from './published.js'

interface Around {
  readonly reading: { readonly layout?: Layout | undefined }
  /** Plugins, whose servers are used if they are named. */
  readonly published?: Partial<PublishedOptions> | undefined
}

/** Makes the source of MCP servers: those of the options, and those of plugins that were named with the plugin. */
export async function mcpPart(
  options: McpSourceOptions,
  { reading, published }: Around,
  host: Host,
): Promise<Provider<'source'>> {
  const { mcpSource } = await import('@skills/source-mcp')
  const given = { fields: reading.layout?.fields?.own, ...options }
  if (published === undefined || options.enabled === false || !namesServers(published)) return mcpSource(given)
  const { pluginServers } = await import('@skills/source-plugin/internal')
  // No servers are named of the plugins that Claude Code has installed.
  const { installed: _, ...named } = published
  const { servers, prepare } = await pluginServers(named, host, new AbortController().signal)
  return mcpSource({
    ...given,
    servers: { ...servers, ...options.servers },
    async allows(server) {
      const isAllowed = await (options.allows?.(server) ?? server.from !== 'project')
      if (isAllowed && !Object.hasOwn(options.servers, server.name)) await prepare(server.name)
      return isAllowed
    },
  })
}
