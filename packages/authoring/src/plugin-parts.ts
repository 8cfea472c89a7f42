import { isJsonObject, pathInside, standardManifest, standardServers, statOf } from '@skills/files/internal'
import { readJsonFile } from '@skills/files'

/** File that a plugin uses in addition to its skills and commands. */
export interface PluginPart {
  /** Relative to the plugin, with forward slashes. */
  readonly path: string
  /** Says what is missing for users of a package without this file. */
  readonly loss: string
}

const manifestFile = '.claude-plugin/plugin.json'
const usualHooks = 'hooks/hooks.json'

/**
 * Returns the manifest and the files of hooks of a plugin. Leaves out `package.json`, because npm always publishes it,
 * and files that a manifest names but that lie outside of the plugin or do not exist.
 * @param real real path of the folder
 */
export function pluginParts(folder: string, real: string): readonly PluginPart[] {
  const isThere = (path: string): boolean => statOf(`${folder}/${path}`)?.isFile() === true
  const isStandard = isThere(standardManifest)
  const hooks = new Set([usualHooks, ...namedHooks(folder, isThere(manifestFile), real)])
  const parts: readonly PluginPart[] = [
    ...(isStandard
      ? [
          {
            path: standardManifest,
            loss: 'people who install the package do not get the plugin as it is checked here',
          },
          { path: standardServers, loss: 'people who install the package do not get its servers' },
          ...programsOf(folder, real),
        ]
      : []),
    {
      path: manifestFile,
      loss: 'people who install the package do not get the name of the plugin, its commands and its hooks',
    },
    ...[...hooks].map(path => ({ path, loss: 'people who install the package do not get its hooks' })),
  ]
  return parts.filter(({ path }) => isThere(path))
}

/** Returns the programs of the plugin that its servers start. */
function programsOf(folder: string, within: string): readonly PluginPart[] {
  const file = readJsonFile(`${folder}/${standardServers}`, {
    code: 'invalid-plugin-servers',
    what: 'The servers file',
    within,
  })
  const servers = file === undefined || 'severity' in file ? undefined : file.data['mcpServers']
  return Object.entries(isJsonObject(servers) ? servers : {}).flatMap(([name, server]) => {
    const command = isJsonObject(server) ? server['command'] : undefined
    const path = typeof command === 'string' && command.startsWith('./') ? pathInside(command) : undefined
    return path === undefined || path === ''
      ? []
      : [{ path, loss: `the server ${JSON.stringify(name)} does not start for people who install the package` }]
  })
}

/**
 * Returns the files of hooks that the manifest names: the plugin's own manifest, or the one in `package.json` if it has
 * none.
 */
function namedHooks(folder: string, hasOwn: boolean, within: string): readonly string[] {
  const file = readJsonFile(`${folder}/${hasOwn ? manifestFile : 'package.json'}`, {
    code: 'invalid-manifest',
    what: 'The plugin manifest',
    within,
  })
  // Loading the plugin reports a manifest that cannot be read.
  if (file === undefined || 'severity' in file) return []
  const said = hasOwn ? file.data : file.data['skills']
  const hooks = isJsonObject(said) ? said['hooks'] : undefined
  return [hooks].flat().flatMap(path => (typeof path === 'string' ? (pathInside(path) ?? []) : []))
}
