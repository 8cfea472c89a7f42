import { readdirSync } from 'node:fs'
import type { Diagnostic, Place } from '@skills/core'
import {
  ioProblem,
  isInside,
  isJsonObject,
  isStandardManifest,
  pluginSchema,
  standardManifest,
  standardServers,
  realPathOf,
  statOf,
  systemCode,
  type JsonFile,
  skillFoldersIn,
} from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { lineOf } from './line-of.js'
import { copyInside } from './copy-inside.js'
import { agentFolders } from '@skills/files/source'
import { nameProblem } from './plugin-name.js'
import type { Manifest } from './manifest.js'
import type { ManifestText, ReadManifest } from './read-manifest.js'
import type { InstalledAs, NamedPlugin } from './named-plugin.js'

/** Result of reading a plugin that the options name. */
export interface FoundPlugin {
  /** Name of the plugin, as far as it is known. */
  readonly name: string
  readonly realPath: string
  /** Names of the entries in its folder. */
  readonly names: readonly string[]
  /** Undefined if the plugin cannot be loaded. The reason is among the problems. */
  readonly manifest: Manifest | undefined
  readonly problems: readonly Diagnostic[]
  readonly state: Place['state']
}

/** Returns the files of other formats that may contain a plugin's manifest, the preferred one first. */
export function manifestFiles(folder: string): readonly string[] {
  return [`${folder}/.claude-plugin/plugin.json`, `${folder}/package.json`]
}

/** Returns every file that decides what a plugin is. */
export function definingFiles(folder: string): readonly string[] {
  return [`${folder}/${standardManifest}`, ...manifestFiles(folder), `${folder}/${standardServers}`]
}

/**
 * Module loaded with the first manifest. Kept here, because importing it again takes longer than reading a manifest.
 */
let manifests: typeof import('./read-manifest.js') | undefined
let standards: typeof import('./agent-plugins/read-standard.js') | undefined

/**
 * Reads the manifest of a plugin.
 * @param agentPlugins false if a root `plugin.json` has no meaning
 */
export async function readPlugin(named: NamedPlugin, agentPlugins = true): Promise<FoundPlugin> {
  const { path: folder, entry, packageName, installed, within } = named
  const own = folder.slice(folder.lastIndexOf('/') + 1)
  const basis = {
    name: entry?.name ?? installed?.name ?? (unscoped(packageName ?? own) || own),
    realPath: folder,
    names: [],
    manifest: undefined,
  }
  let realPath: string | undefined
  let names: readonly string[]
  try {
    realPath = realPathOf(folder)
    if (realPath === undefined) return { ...basis, state: 'missing', problems: [goneProblem(folder, installed)] }
    if (within !== undefined && !isWithin(realPath, within))
      return { ...basis, state: 'skipped', problems: [outsideProblem(named, realPath)] }
    names = readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    if (systemCode(error) === 'ENOENT')
      return { ...basis, state: 'missing', problems: [goneProblem(folder, installed)] }
    return { ...basis, state: 'unreadable', problems: [ioProblem('The plugin folder', folder, error)] }
  }
  const found = { ...basis, realPath, names, state: 'read' as const }
  const root =
    agentPlugins && names.includes(standardManifest)
      ? readJsonFile(`${folder}/${standardManifest}`, {
          code: 'invalid-manifest',
          within: realPath,
          what: 'The Agent Plugins manifest',
        })
      : undefined
  if (root !== undefined && 'severity' in root)
    return { ...found, state: 'unreadable', problems: [copyInside('plugin', root)] }
  const text = manifestText(named, realPath, names)
  if (root !== undefined && isStandardManifest(root.data, text !== undefined))
    return standardPlugin(found, root, text, folder)
  if (text !== undefined && 'severity' in text)
    return { ...found, state: 'unreadable', problems: [copyInside('plugin', text)] }
  const undescribed = isDescribed(text, names) ? [] : skillFoldersIn(folder)
  if (
    text === undefined &&
    undescribed.length === 0 &&
    !['skills', 'commands', 'SKILL.md'].some(name => names.includes(name))
  ) {
    return {
      ...found,
      state: 'unreadable',
      problems: [
        {
          severity: 'error',
          type: 'validation',
          code: 'no-plugin',
          path: folder,
          message: `${folder} is not a plugin: it has neither a manifest nor skills.`,
          hint: hintFor(folder, names),
        },
      ],
    }
  }
  const { manifest: read, problems }: ReadManifest =
    text === undefined
      ? { manifest: bareManifest(basis.name), problems: [] }
      : (manifests ??= await import('./read-manifest.js')).readManifest(text)
  const manifest = read && withFound(read, folder, undescribed)
  if (manifest === undefined) return { ...found, state: 'unreadable', problems }
  const refused = nameProblem(manifest.name, () => ({
    path: manifest.file ?? folder,
    ...(text === undefined ? {} : { field: `${text.prefix ?? ''}name`, ...lineOf(text, ['name']) }),
  }))
  if (refused !== undefined)
    return { ...found, name: manifest.name, state: 'unreadable', problems: [...problems, refused] }
  return {
    ...found,
    name: manifest.name,
    manifest,
    problems: [...problems, ...unusedParts(named, realPath, names), ...(root === undefined ? [] : [undeclared(root)])],
  }
}

/** Reads a plugin whose root `plugin.json` counts. @param text manifest of another format beside it */
async function standardPlugin(
  found: Omit<FoundPlugin, 'problems' | 'state'>,
  root: JsonFile,
  text: ManifestText | Diagnostic | undefined,
  folder: string,
): Promise<FoundPlugin> {
  standards ??= await import('./agent-plugins/read-standard.js')
  const isText = text !== undefined && !('severity' in text)
  const beside = isText
    ? { text, read: (manifests ??= await import('./read-manifest.js')).readManifest(text) }
    : undefined
  const { manifest, problems } = standards.readStandard({ root, folder, realPath: found.realPath, beside })
  const all = text !== undefined && !isText ? [...problems, copyInside('plugin', text)] : problems
  if (manifest === undefined) return { ...found, state: 'unreadable', manifest, problems }
  const refused = nameProblem(
    manifest.name,
    () => ({ path: root.path, field: 'name', ...lineOf(root, ['name']) }),
    true,
  )
  return refused === undefined
    ? { ...found, name: manifest.name, state: 'read', manifest, problems: all }
    : { ...found, name: manifest.name, state: 'unreadable', manifest: undefined, problems: [...all, refused] }
}

/** Returns a warning for a root `plugin.json` that does not say that it is one of the standard. */
function undeclared({ path }: JsonFile): Diagnostic {
  return {
    severity: 'warning',
    type: 'validation',
    code: 'unused-manifest',
    path,
    message: `${path} has no effect: it has no "$schema", and the plugin has another manifest.`,
    hint: `For a manifest of the Agent Plugins standard, add "$schema": "${pluginSchema}". Otherwise nothing has to be done.`,
  }
}

/**
 * Returns warnings for parts of a plugin's own manifest that have no effect, because a marketplace entry replaces it.
 */
function unusedParts(
  { path: folder, entry }: NamedPlugin,
  within: string,
  names: readonly string[],
): readonly Diagnostic[] {
  if (entry?.isManifest !== true || !names.includes('.claude-plugin')) return []
  const [own = ''] = manifestFiles(folder)
  const file = readJsonFile(own, { code: 'invalid-manifest', within, what: 'The plugin manifest' })
  if (file === undefined || 'severity' in file) return []
  const [field, ...others] = ['skills', 'skillsPath', 'skillsPaths', 'commands', 'hooks'].filter(
    key => file.data[key] !== undefined,
  )
  return field === undefined
    ? []
    : [
        {
          severity: 'warning',
          type: 'validation',
          code: 'unused-manifest',
          path: own,
          field,
          ...lineOf({ lines: file.lines }, [field]),
          message: `${own} sets ${[field, ...others].join(', ')} without effect: the marketplace entry has "strict": false, so that entry alone describes the plugin.`,
          hint: 'Move these fields to the marketplace entry, or remove "strict": false from that entry.',
        },
      ]
}

export function goneProblem(folder: string, installed: InstalledAs | undefined): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'plugin-not-found',
    path: folder,
    message: `There is no plugin folder ${folder}.`,
    hint:
      installed === undefined
        ? 'Correct the path, or remove the plugin from the configuration.'
        : `Claude Code has recorded "${installed.id}" there. Install it again in Claude Code, or uninstall it.`,
  }
}

function isWithin(realPath: string, folder: string): boolean {
  const real = realPathOf(folder)
  return real !== undefined && isInside(realPath, real)
}

function outsideProblem({ path, installed, within = '' }: NamedPlugin, realPath: string): Diagnostic {
  return {
    severity: 'warning',
    type: 'traversal',
    code: 'installed-plugin-outside',
    path,
    message: `Claude Code has recorded the plugin "${installed?.id ?? path}" at ${path === realPath ? path : `${path}, which leads to ${realPath}`}, outside of ${within}, so it is not loaded.`,
    hint: `If you trust that folder, name it under "plugins" in your own configuration, or with --plugin-dir.`,
  }
}

/** Returns a hint on what a folder without a plugin may be instead. */
function hintFor(folder: string, names: readonly string[]): string {
  if (statOf(`${folder}/.claude-plugin/marketplace.json`)?.isFile() === true)
    return 'This folder is a marketplace: name it in "marketplaces" or with --marketplace.'
  const agents = agentFolders.map(({ name }) => name).filter(name => names.includes(name))
  return agents.length === 0
    ? 'Add .claude-plugin/plugin.json with a name.'
    : `This folder is a project with ${agents.join(', ')}: name it in "additional" or with --add-dir.`
}

/**
 * Returns true if a manifest says where the skills of a plugin are, or if they are in the usual folder. The entry of a
 * marketplace often says no more than the folder in which they lie.
 */
function isDescribed(text: ManifestText | undefined, names: readonly string[]): boolean {
  if (text === undefined) return false
  const { data, isEntry = false } = text
  const says = ['skills', 'skillsPath', 'skillsPaths', 'commands'].some(key => data[key] !== undefined)
  return says || !isEntry || ['skills', 'commands', 'SKILL.md'].some(name => names.includes(name))
}

function bareManifest(name: string): Manifest {
  return {
    name,
    isEntry: false,
    skills: [],
    commands: undefined,
    hasDefaults: true,
    hooks: [],
    settings: new Map(),
    dependencies: [],
  }
}

/** @param found folders of skills that no manifest names; the usual folder alone needs no mention */
function withFound(manifest: Manifest, folder: string, found: readonly string[]): Manifest {
  const isUsual = found.length === 1 && found[0] === `${folder}/skills`
  if (found.length === 0 || isUsual) return manifest
  return { ...manifest, skills: found.map(path => ({ path, place: { path: folder } })), areFound: true }
}

/**
 * Returns the manifest that is used: an entry that replaces it, `plugin.json`, the fields of a `package.json`, or else
 * the entry of a marketplace.
 */
function manifestText(
  { path: folder, entry }: NamedPlugin,
  within: string,
  names: readonly string[],
): ManifestText | Diagnostic | undefined {
  const ofEntry = entry === undefined ? undefined : { ...entry, folder, isEntry: true }
  if (entry?.isManifest === true) return ofEntry
  const [own = '', ofPackage = ''] = manifestFiles(folder)
  const options = { code: 'invalid-manifest', within }
  const file = names.includes('.claude-plugin')
    ? readJsonFile(own, { ...options, what: 'The plugin manifest' })
    : undefined
  if (file !== undefined) return 'severity' in file ? file : withEntry({ ...file, folder }, ofEntry)
  const packaged = names.includes('package.json')
    ? readJsonFile(ofPackage, { ...options, what: 'The package file' })
    : undefined
  if (packaged !== undefined && 'severity' in packaged) return packaged
  const section = packaged === undefined ? undefined : sectionOf(packaged)
  return section === undefined || packaged === undefined
    ? ofEntry
    : withEntry({ ...packaged, data: section, folder, ways: [['skills'], []] }, ofEntry)
}

/** Adds the paths of skills in a marketplace's entry to those of the manifest. */
function withEntry(text: ManifestText, entry: ManifestText | undefined): ManifestText {
  const added = entry?.data['skills']
  if (typeof added !== 'string' && !Array.isArray(added)) return text
  const { skills = [] } = text.data
  return { ...text, data: { ...text.data, skills: [skills, added].flat() } }
}

/** Returns the plugin's fields of a package. Undefined if the package is not a plugin. */
export function sectionOf({ data }: JsonFile): Readonly<Record<string, unknown>> | undefined {
  const { name, version, description, skills, skillsPath, skillsPaths } = data
  if (!isJsonObject(skills) && skillsPath === undefined && skillsPaths === undefined) return undefined
  const said = Object.entries({
    name: typeof name === 'string' ? unscoped(name) : name,
    version,
    description,
    skillsPath,
    skillsPaths,
  })
  return {
    ...Object.fromEntries(said.filter(([, value]) => value !== undefined)),
    ...(isJsonObject(skills) ? skills : {}),
  }
}

/** Converts a package's name to that of a plugin: without the scope, and with hyphens for invalid characters. */
function unscoped(name: string): string {
  return name
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
