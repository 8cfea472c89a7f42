/** Version of the Agent Plugins standard that our packages read and write. */
export const standardVersion = '1.0.0'
/** Manifest of the standard, in the folder of a plugin. */
export const standardManifest = 'plugin.json'
/** Servers of a plugin of the standard, in its folder. */
export const standardServers = 'mcp.json'
export const pluginSchema = `https://agent-plugins.org/schemas/${standardVersion}/plugin.schema.json`
export const serversSchema = `https://agent-plugins.org/schemas/${standardVersion}/mcp.schema.json`

/**
 * True if a root `plugin.json` is the manifest of its folder. Without `$schema` it is, unless the folder has a manifest
 * in another format: other programs give the name `plugin.json` to files of their own.
 * @param data undefined if the file cannot be read; the plugin is then refused
 */
export function isStandardManifest(data: Readonly<Record<string, unknown>> | undefined, hasOther: boolean): boolean {
  return data === undefined || !hasOther || Object.hasOwn(data, '$schema')
}
