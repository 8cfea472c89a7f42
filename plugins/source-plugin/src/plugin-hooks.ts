import { promptCommand, type Diagnostic, type PromptCommand } from '@skills/core'
import { isJsonObject } from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { copyInside } from './copy-inside.js'
import type { ManifestPath } from './manifest.js'
import type { Plugin } from './plugin.js'

/** File of hooks that is read even if no manifest names it. */
export const usualFile = 'hooks/hooks.json'

/**
 * Returns the hooks that a plugin has from the start of a session: the hooks in its `hooks/hooks.json`, and the hooks
 * that its manifest names or contains.
 */
export function pluginHooks(plugin: Plugin, report: (diagnostic: Diagnostic) => void): readonly PromptCommand[] {
  const { path: folder, manifest } = plugin
  const usual = `${folder}/${usualFile}`
  const files = manifest.hooks.flatMap((one): readonly ManifestPath[] => ('path' in one ? [one] : []))
  const held = manifest.hooks.flatMap(one => ('hooks' in one ? [standIn(plugin, manifest.file, one.hooks)] : []))
  // A named file that is read by default is read only once.
  const paths = new Map([
    ...(manifest.hasDefaults ? [[usual, undefined] as const] : []),
    ...files.map(({ path, place }) => [path, place] as const),
  ])
  const read = [...paths].flatMap(([path, place]) => {
    const file = readJsonFile(path, { code: 'invalid-plugin-hooks', what: 'The hooks file', within: plugin.realPath })
    if (file !== undefined && !('severity' in file)) return [standIn(plugin, path, file.data)]
    if (file !== undefined) report(copyInside('plugin', file))
    else if (place !== undefined) {
      report({
        severity: 'warning',
        type: 'validation',
        code: 'missing-plugin-path',
        ...place,
        message: `The plugin "${plugin.name}" names ${path}, but nothing is there.`,
        hint: 'Add the file, or remove its path from the manifest.',
      })
    }
    return []
  })
  return [...read, ...held]
}

/**
 * Makes a command that is in no catalog. The hooks provider asks about its trust and resolves its variables like those
 * of any other command.
 */
function standIn(plugin: Plugin, filePath: string | undefined, data: Readonly<Record<string, unknown>>): PromptCommand {
  return Object.assign(
    promptCommand({
      name: plugin.name,
      source: 'plugin',
      loadedFrom: 'plugin',
      pluginName: plugin.name,
      isSkill: false,
      baseDir: plugin.path,
      filePath,
      hooks: isJsonObject(data['hooks']) ? data['hooks'] : data,
      load: () => ({ blocks: [] }),
    }),
    { plugin, resolveVariable: (name: string) => plugin.resolveForProcess(name) },
  )
}
