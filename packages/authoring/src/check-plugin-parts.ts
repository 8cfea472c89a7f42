import { closestNames, pathOf, type Catalog, type Diagnostic, type PromptCommand } from '@skills/core'
import { isJsonObject, realPathOf, standardManifest, type JsonFile, type KeyPath } from '@skills/files/internal'
import { lineOfPath, readJsonFile, readWholeFileSync } from '@skills/files'
import { readHooks } from '@skills/invocation'
import { checkHookScript } from './check-hook-script.js'
import { isPlugins } from './left-out.js'
import { isPlaceholder, placesOf, TextPlaces } from '@skills/inspect/internal'

export interface PluginPartsOptions {
  /** Hooks of plugins, from `pluginHooksOf`. */
  readonly hooks: readonly PromptCommand[]
  /** Folder of the plugin, absolute. */
  readonly folder: string
  /** Files that npm would publish, relative to the folder; undefined: not checked. */
  readonly packed: ReadonlySet<string> | undefined
}

const settingTypes = ['string', 'number', 'boolean', 'file', 'directory']
/** Keys with a meaning in a manifest, but none at the top of a package file. */
const manifestKeys = ['hooks', 'commands', 'userConfig']
const setting = /\$\{user_config\.([^}\s]+)\}/g

/**
 * Returns problems of plugins: files that a plugin names but does not have, and parts of its manifest without effect.
 * Checks the folders of a catalog's plugins, each with its own manifest.
 */
export function checkPluginParts(
  catalog: Catalog,
  { hooks, folder, packed }: PluginPartsOptions,
): readonly Diagnostic[] {
  const commands = catalog.entries.flatMap(({ command }) => (isPlugins(command) ? [command] : []))
  const folders = new Set([...commands, ...hooks].map(folderOf).filter(path => path !== undefined))
  return [...folders].flatMap(path => {
    const { problems, settings } = checkManifests(path)
    const isOwn = (one: PromptCommand): boolean => folderOf(one) === path
    return [
      ...problems,
      ...hooks.filter(isOwn).flatMap(owner => {
        const place = placesOf(owner)
        const { hooks: run, unsupported } = readHooks(owner.hooks)
        return [...run, ...unsupported].flatMap(({ command = '', event, field }): readonly Diagnostic[] => {
          const at = { ...(owner.filePath !== undefined && { path: owner.filePath }), ...place([event]), field }
          return [
            ...checkHookScript(command, path, path === folder ? packed : undefined),
            ...undeclared(command, settings),
          ].map(one => ({ ...one, ...at }))
        })
      }),
      ...commands.filter(isOwn).flatMap(command => checkText(command, path, settings)),
    ]
  })
}

function folderOf(command: PromptCommand): string | undefined {
  const plugin: unknown = 'plugin' in command ? command.plugin : undefined
  return isJsonObject(plugin) && typeof plugin['path'] === 'string' ? plugin['path'] : undefined
}

/**
 * Checks the manifest and the package file if they exist. Also returns the settings that the one in effect declares.
 */
function checkManifests(folder: string): {
  readonly problems: readonly Diagnostic[]
  readonly settings: ReadonlySet<string>
} {
  const read = (path: string): JsonFile | undefined => {
    const file = readJsonFile(`${folder}/${path}`, {
      code: 'invalid-manifest',
      what: 'The plugin manifest',
      within: realPathOf(folder) ?? folder,
    })
    // Loading the plugin reports a file that cannot be read.
    return file === undefined || 'severity' in file ? undefined : file
  }
  const [root, own, packageFile] = [standardManifest, '.claude-plugin/plugin.json', 'package.json'].map(read)
  const problems: Diagnostic[] = []
  const warn = (file: JsonFile, way: KeyPath, code: string, message: string, hint: string): void => {
    const line = lineOfPath(file.text, way)
    problems.push({
      severity: 'warning',
      type: 'validation',
      code,
      path: file.path,
      field: way.join('.'),
      ...(line !== undefined && { line }),
      message,
      hint,
    })
  }
  if (packageFile !== undefined) {
    const { data } = packageFile
    for (const key of manifestKeys.filter(one => Object.hasOwn(data, one))) {
      const place =
        own === undefined
          ? 'Move the key under "skills" in this file.'
          : 'Move the key into .claude-plugin/plugin.json.'
      warn(
        packageFile,
        [key],
        'misplaced-key',
        `"${key}" is at the top of package.json, where no host reads it.`,
        place,
      )
    }
    const shown = root !== undefined && Object.hasOwn(root.data, '$schema') ? root : own
    const [version, other] = [data['version'], shown?.data['version']]
    if (shown !== undefined && typeof version === 'string' && typeof other === 'string' && version !== other) {
      warn(
        shown,
        ['version'],
        'version-mismatch',
        `The manifest has the version ${other}, and package.json ${version}.`,
        'Write the same version into both files: hosts show the one in the manifest, npm the one in package.json.',
      )
    }
  }
  for (const file of [root, own, packageFile]) {
    if (file !== undefined && isPlaceholder(file.data['description']))
      warn(
        file,
        ['description'],
        'untouched-text',
        'The description is still the placeholder.',
        'Say what the plugin is for.',
      )
  }
  const [file, way, manifest]: readonly [JsonFile | undefined, KeyPath, unknown] =
    own === undefined ? [packageFile, ['skills'], packageFile?.data['skills']] : [own, [], own.data]
  const declared = isJsonObject(manifest) && isJsonObject(manifest['userConfig']) ? manifest['userConfig'] : {}
  for (const [key, said] of Object.entries(declared)) {
    const type = isJsonObject(said) ? said['type'] : undefined
    if (file === undefined || typeof type !== 'string' || settingTypes.includes(type)) continue
    const [close] = closestNames(type, settingTypes, 1)
    warn(
      file,
      [...way, 'userConfig', key, 'type'],
      'unknown-setting-type',
      `The setting "${key}" has the unknown type "${type}".`,
      close === undefined ? `There are ${settingTypes.join(', ')}.` : `Did you mean "${close}"?`,
    )
  }
  return { problems, settings: new Set(Object.keys(declared)) }
}

type Unplaced = Pick<Diagnostic, 'severity' | 'type' | 'code' | 'message' | 'hint'>

function undeclared(text: string, settings: ReadonlySet<string>): readonly (Unplaced & { readonly offset: number })[] {
  return [...text.matchAll(setting)]
    .filter(([, key = '']) => !settings.has(key))
    .map(({ 0: written, 1: key = '', index: offset }) => {
      const [close] = closestNames(key, settings, 1)
      return {
        severity: 'error',
        type: 'validation',
        code: 'unknown-variable',
        offset,
        message: `${written} has no value, because the manifest does not declare the setting "${key}".`,
        hint: close === undefined ? 'Add the setting to "userConfig" of the manifest.' : `Did you mean "${close}"?`,
      }
    })
}

/** Returns problems of a skill's text: settings that the manifest does not declare. */
function checkText(command: PromptCommand, folder: string, settings: ReadonlySet<string>): readonly Diagnostic[] {
  const { path } = pathOf(command)
  const file = path === undefined ? undefined : readWholeFileSync(path, { within: [realPathOf(folder) ?? folder] })
  // The file was removed since it was listed, or its source reports it.
  if (path === undefined || file === undefined || 'problem' in file) return []
  const text = file.bytes.toString('utf8')
  const places = new TextPlaces(text)
  return undeclared(text, settings).map(({ offset, ...one }) => ({
    ...one,
    name: command.name,
    path,
    ...places.at(offset),
  }))
}
