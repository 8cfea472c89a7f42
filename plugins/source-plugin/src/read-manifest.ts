import { closestNames, type Diagnostic } from '@skills/core'
import { readFields } from '@skills/skill-md'
import { unsafeCharacter } from '@skills/skill-md/internal'
import { isJsonObject, pathInside, type JsonFile, type KeyPath } from '@skills/files/internal'
import { checkCommands, checkManifest, type ManifestData } from './manifest-schema.js'
import { lineOf } from './line-of.js'
import { entryKeys, manifestKeys, type Manifest, type ManifestCommand, type ManifestPath } from './manifest.js'

/** Data of a manifest, and its place. */
export interface ManifestText extends JsonFile {
  /** Absolute path of the plugin's folder. */
  readonly folder: string
  /** Prefix of the names of fields in a diagnostic, such as `plugins[3].`. */
  readonly prefix?: string
  /** Paths of keys that lead to its data, the preferred one first. Default: the file's own object. */
  readonly ways?: readonly KeyPath[]
  /** True for an entry of a marketplace, which may replace the manifest of a plugin. */
  readonly isEntry?: boolean
}

export interface ReadManifest {
  /** Undefined if it is invalid. Then there is an error among the problems. */
  readonly manifest: Manifest | undefined
  readonly problems: readonly Diagnostic[]
}

/**
 * Checks the data of a manifest and converts all its forms to one. One invalid field makes the manifest invalid. A path
 * that leads out of the plugin is dropped.
 */
export function readManifest(given: ManifestText): ReadManifest {
  const { data, path: file, isEntry = false } = given
  const checked = checkManifest(data)
  if (!('data' in checked)) return invalid(given, checked.field, checked.message, checked.keys)
  const manifest = checked.data
  if (isJsonObject(manifest.commands)) {
    const described = checkCommands(manifest.commands)
    if (!('data' in described))
      return invalid(given, `commands.${described.field}`, described.message, ['commands', ...described.keys])
    const wrong = Object.entries(described.data).find(
      ([, { source, content }]) => (source === undefined) === (content === undefined),
    )
    if (wrong !== undefined)
      return invalid(given, `commands.${wrong[0]}`, 'must have either "source" or "content"', ['commands', wrong[0]])
    const unsafe = Object.keys(described.data).find(
      name => unsafeCharacter(name) !== undefined || !/^[^\s/\\:]+(?::[^\s/\\:]+)*$/.test(name),
    )
    if (unsafe !== undefined)
      return invalid(given, 'commands', `has a name that no command can have: ${JSON.stringify(unsafe)}`, [
        'commands',
        unsafe,
      ])
  }
  const paths = new PathReader(given)
  const skills = [
    ...paths.read('skills', listOf(manifest.skills)),
    ...paths.read('skillsPath', listOf(manifest.skillsPath)),
    ...paths.read('skillsPaths', listOf(manifest.skillsPaths)),
  ]
  const commands = commandsOf(manifest, paths)
  return {
    manifest: {
      name: manifest.name,
      version: manifest.version,
      file,
      isEntry,
      skills: skills.map(one => ({ ...one, path: one.path.replace(/\/SKILL\.md$/, '') })),
      commands,
      hooks: isJsonObject(manifest.hooks) ? [{ hooks: manifest.hooks }] : paths.read('hooks', listOf(manifest.hooks)),
      // Several entries of a marketplace may share a folder, so a plugin that is defined only by its entry has only
      // what the entry lists.
      hasDefaults:
        !isEntry ||
        data['strict'] !== false ||
        [manifest.skills, manifest.skillsPath, manifest.skillsPaths, manifest.commands].every(one => one === undefined),
      settings: new Map(
        Object.entries(manifest.userConfig ?? {}).map(
          ([key, { type, sensitive = false, required = false, default: byDefault }]) => [
            key,
            { type, isSensitive: sensitive, isRequired: required, byDefault },
          ],
        ),
      ),
      dependencies: dependenciesOf(manifest),
    },
    problems: [...paths.problems, ...unknownKeys(given)],
  }
}

/**
 * Makes the error of an invalid manifest.
 * @param keys path of the field
 */
function invalid(given: ManifestText, field: string, message: string, keys: KeyPath): ReadManifest {
  const { path, prefix = '' } = given
  const named = `${prefix}${field}`
  return {
    manifest: undefined,
    problems: [
      {
        severity: 'error',
        type: 'validation',
        code: 'invalid-manifest',
        path,
        ...(named === '' ? {} : { field: named }),
        ...lineOf(given, keys),
        message: `${named === '' ? 'The plugin manifest' : `"${named}" of the plugin manifest`} ${message}.`,
        hint: 'Nothing of the plugin is loaded until the manifest is corrected.',
      },
    ],
  }
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat()
}

function commandsOf({ commands }: ManifestData, paths: PathReader): readonly ManifestCommand[] | undefined {
  if (commands === undefined) return undefined
  if (typeof commands === 'string' || Array.isArray(commands))
    return paths.read('commands', listOf(commands)).map(source => ({ source, fields: {} }))
  const checked = checkCommands(commands)
  return Object.entries('data' in checked ? checked.data : {}).flatMap(
    ([name, { source, content, description, argumentHint, model, allowedTools }]): readonly ManifestCommand[] => {
      const { fields } = readFields({
        description,
        'argument-hint': argumentHint,
        model,
        'allowed-tools': allowedTools,
      })
      if (source === undefined) return [{ name, content, fields }]
      return paths
        .read(`commands.${name}.source`, [source], ['commands', name, 'source'])
        .map(path => ({ name, source: path, fields }))
    },
  )
}

function dependenciesOf({ dependencies = [] }: ManifestData): readonly string[] {
  const names = Array.isArray(dependencies)
    ? dependencies.map(one => (typeof one === 'string' ? one : one.name))
    : Object.keys(dependencies)
  // In `name@marketplace`, the part after @ names where to get the plugin.
  return names.map(name => name.replace(/(?<=.)@.*$/, ''))
}

/** Returns a warning for each unknown key, with a similar known one. */
function unknownKeys(given: ManifestText): readonly Diagnostic[] {
  const { data, path, prefix = '', isEntry = false } = given
  const known = isEntry ? [...manifestKeys, ...entryKeys] : manifestKeys
  return Object.keys(data)
    .filter(key => !known.includes(key))
    .map(key => {
      const [close] = closestNames(key, known, 1)
      return {
        severity: 'warning',
        type: 'validation',
        code: 'unknown-manifest-key',
        path,
        field: `${prefix}${key}`,
        ...lineOf(given, [key]),
        message: `The key "${key}" is not a key of a plugin manifest, and is ignored.`,
        ...(close === undefined ? {} : { hint: `Did you mean "${close}"?` }),
      }
    })
}

/** Reads paths of a manifest, and collects their problems. */
class PathReader {
  readonly problems: Diagnostic[] = []

  constructor(private readonly given: ManifestText) {}

  /** Returns the paths that are inside the plugin as they are written. Targets of links are checked by the walk. */
  read(field: string, given: readonly string[], keys: KeyPath = [field]): readonly ManifestPath[] {
    if (given.length === 0) return []
    const { path: file, folder, prefix = '' } = this.given
    const place = { path: file, field: `${prefix}${field}`, ...lineOf(this.given, keys) }
    const found = given.flatMap((one): readonly ManifestPath[] => {
      const path = pathInside(one)
      if (path !== undefined) return [{ path: path === '' ? folder : `${folder}/${path}`, place }]
      this.problems.push({
        severity: 'error',
        type: 'traversal',
        code: 'plugin-path-outside',
        ...place,
        message: `The path ${JSON.stringify(one)} leads out of the plugin ${folder} and is ignored.`,
        hint: 'Write a path inside the plugin that begins with "./".',
      })
      return []
    })
    const bare = given.find(one => pathInside(one) !== undefined && !/^\.(?:\/|$)/.test(one))
    if (bare !== undefined) {
      this.problems.push({
        severity: 'warning',
        type: 'validation',
        code: 'plugin-path-form',
        ...place,
        message: `The path ${JSON.stringify(bare)} should begin with "./".`,
        hint: 'This program reads the path as if it began with "./", but other programs may refuse it.',
      })
    }
    return found
  }
}
