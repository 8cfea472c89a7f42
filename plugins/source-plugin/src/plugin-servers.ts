import { SkillsError, type Host } from '@skills/core'
import { realPathOf } from '@skills/files/internal'
import { escapingField, startOf } from './agent-plugins/start-of-server.js'
import { manifestTexts } from './manifest-texts.js'
import { PluginRegistry } from './plugin-registry.js'
import type { Plugin } from './plugin.js'
import type { PluginSourceOptions } from './plugin-options.js'
import type { StandardServer } from './agent-plugins/server-rules.js'

/** Server of a plugin in the form of the options of `mcpSource()`. */
export type PluginServer = { readonly from: 'host' | 'managed' | 'user' | 'project' } & (
  | {
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
)

export interface PluginServers {
  /** Servers that a person or host named, as `plugin:<plugin>:<server>`. */
  readonly servers: Readonly<Record<string, PluginServer>>
  /**
   * Makes a server ready to be connected to: makes the data folder of its plugin. Does nothing for other servers.
   * Throws `E_DENIED` if the plugin has changed since a person agreed to it, or if a path leads out of its folder.
   */
  prepare(name: string): Promise<void>
}

/**
 * Reads the named servers of the plugins, from each `mcp.json` as it is now. A server that is not named is never
 * connected to. Starts nothing.
 */
export async function pluginServers(
  options: PluginSourceOptions,
  host: Host,
  signal: AbortSignal,
): Promise<PluginServers> {
  const registry = new PluginRegistry(options, host)
  await registry.look(undefined, signal)
  const owners = new Map<string, { readonly plugin: Plugin; readonly server: StandardServer }>()
  const servers: Record<string, PluginServer> = {}
  for (const plugin of registry.known.plugins) {
    for (const [own, server] of plugin.namedServers) {
      const name = `plugin:${plugin.name}:${own}`
      owners.set(name, { plugin, server })
      servers[name] = serverOf(plugin, server, host)
    }
  }
  return {
    servers,
    async prepare(name) {
      const owner = owners.get(name)
      if (owner === undefined) return
      const { plugin, server } = owner
      if (plugin.agreedTo !== undefined && (await textNow(plugin)) !== plugin.agreedTo)
        throw new SkillsError(
          'E_DENIED',
          `A file of the plugin "${plugin.name}" was changed after it was agreed to, so its servers do not start.`,
          { hint: 'Look at the change: skills trust' },
        )
      if (server.type !== 'stdio') return
      const data = plugin.dataFolder()
      const folders = { root: plugin.realPath, data: realPathOf(data) ?? data }
      const field = escapingField(server, folders)
      if (field !== undefined)
        throw new SkillsError('E_DENIED', `"${field}" of the server "${name}" leads out of its folder.`, {
          hint: 'Remove the link on the way.',
        })
    },
  }
}

/** True if the client of HTTP and MCP sets a header itself. Its value is the one that counts. */
function isOfClient(name: string): boolean {
  return /^(?:accept|connection|content-(?:length|type)|host|last-event-id|mcp-.*|transfer-encoding)$/i.test(name)
}

function serverOf(plugin: Plugin, server: StandardServer, { platform }: Host): PluginServer {
  const from = plugin.from === 'command-line' ? 'user' : (plugin.from as PluginServer['from'])
  if (server.type !== 'stdio') {
    const headers = Object.entries(server.headers ?? {}).filter(([name]) => !isOfClient(name))
    return { url: server.url, headers: Object.fromEntries(headers), from }
  }
  return { ...startOf(server, { root: plugin.realPath, data: plugin.dataPath() }, platform), from }
}

/** Returns the files that define a plugin as they are now, in the form that a person agreed to. */
async function textNow({ path }: Plugin): Promise<string> {
  const { plugins } = await manifestTexts({ plugins: [path], packages: [] })
  return plugins.join('\n')
}
