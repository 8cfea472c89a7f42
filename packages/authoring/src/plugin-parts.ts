import { isJsonObject, pathInside, statOf } from '@skills/files/internal'
import { readJsonFile } from '@skills/files'

/** A file that a plugin is read from besides its skills and commands. */
export interface PluginPart {
  /** Relative to the plugin, forward slashes. */
  readonly path: string
  /** How those fare who install the package without it. */
  readonly loss: string
}

const manifestFile = '.claude-plugin/plugin.json'
const usualHooks = 'hooks/hooks.json'

/**
 * The manifest and the files of hooks that a plugin has. A `package.json` is none of them, since npm always publishes
 * it; neither is what a manifest names outside of the plugin, or in vain.
 * @param real the real path of the folder
 */
export function pluginParts(folder: string, real: string): readonly PluginPart[] {
  const isThere = (path: string): boolean => statOf(`${folder}/${path}`)?.isFile() === true
  const hooks = new Set([usualHooks, ...namedHooks(folder, isThere(manifestFile), real)])
  const parts: readonly PluginPart[] = [
    {
      path: manifestFile,
      loss: 'those who install the package get nothing that it says: the name of the plugin, its commands, its hooks',
    },
    ...[...hooks].map(path => ({ path, loss: 'no one who installs the package gets its hooks' })),
  ]
  return parts.filter(({ path }) => isThere(path))
}

/**
 * Files of hooks that the manifest names: the plugin's own where it has one, else what its `package.json` has in the
 * place.
 */
function namedHooks(folder: string, hasOwn: boolean, within: string): readonly string[] {
  const file = readJsonFile(`${folder}/${hasOwn ? manifestFile : 'package.json'}`, {
    code: 'invalid-manifest',
    what: 'The plugin manifest',
    within,
  })
  // The loader of the plugin reports a manifest that cannot be read.
  if (file === undefined || 'severity' in file) return []
  const said = hasOwn ? file.data : file.data['skills']
  const hooks = isJsonObject(said) ? said['hooks'] : undefined
  return [hooks].flat().flatMap(path => (typeof path === 'string' ? (pathInside(path) ?? []) : []))
}
