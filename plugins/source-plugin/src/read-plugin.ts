import { readdirSync } from 'node:fs'
import type { Diagnostic, Place } from '@skills/core'
import {
  ioProblem,
  isJsonObject,
  realPathOf,
  statOf,
  systemCode,
  type JsonFile,
  skillFoldersIn,
} from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { lineOf } from './line-of.js'
import { linkOutOf } from './link-out.js'
import { agentFolders } from '@skills/files/source'
import { nameProblem } from './plugin-name.js'
import type { Manifest } from './manifest.js'
import type { ManifestText, ReadManifest } from './read-manifest.js'
import type { NamedPlugin } from './named-plugin.js'

/** What was found of a plugin that the options name. */
export interface FoundPlugin {
  /** What it is called, as far as it could be told. */
  readonly name: string
  readonly realPath: string
  /** Names of what lies in its folder. */
  readonly names: readonly string[]
  /** Undefined when the plugin cannot be loaded; the reason is among the problems. */
  readonly manifest: Manifest | undefined
  readonly problems: readonly Diagnostic[]
  readonly state: Place['state']
}

/** The files that a plugin's manifest may stand in, the first that counts first. */
export function manifestFiles(folder: string): readonly string[] {
  return [`${folder}/.claude-plugin/plugin.json`, `${folder}/package.json`]
}

/** Loaded with the first manifest, and kept here: asking for a loaded module costs more than reading a manifest. */
let manifests: typeof import('./read-manifest.js') | undefined

/** Reads what a plugin says of itself. */
export async function readPlugin(named: NamedPlugin): Promise<FoundPlugin> {
  const { path: folder, entry, packageName } = named
  const own = folder.slice(folder.lastIndexOf('/') + 1)
  const basis = {
    name: entry?.name ?? (unscoped(packageName ?? own) || own),
    realPath: folder,
    names: [],
    manifest: undefined,
  }
  let realPath: string | undefined
  let names: readonly string[]
  try {
    realPath = realPathOf(folder)
    if (realPath === undefined) return { ...basis, state: 'missing', problems: [goneProblem(folder)] }
    names = readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    if (systemCode(error) === 'ENOENT') return { ...basis, state: 'missing', problems: [goneProblem(folder)] }
    return { ...basis, state: 'unreadable', problems: [ioProblem('The plugin folder', folder, error)] }
  }
  const found = { ...basis, realPath, names, state: 'read' as const }
  const text = manifestText(named, realPath, names)
  if (text !== undefined && 'severity' in text)
    return { ...found, state: 'unreadable', problems: [linkOutOf('plugin', text)] }
  const undescribed = text === undefined ? skillFoldersIn(folder) : []
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
          message: `${folder} is no plugin: it has neither a manifest nor skills.`,
          hint: hintFor(folder, names),
        },
      ],
    }
  }
  const { manifest, problems }: ReadManifest =
    text === undefined
      ? { manifest: bareManifest(basis.name, folder, names.includes('SKILL.md') ? [] : undescribed), problems: [] }
      : (manifests ??= await import('./read-manifest.js')).readManifest(text)
  if (manifest === undefined) return { ...found, state: 'unreadable', problems }
  const refused = nameProblem(manifest.name, () => ({
    path: manifest.file ?? folder,
    ...(text === undefined ? {} : { field: `${text.prefix ?? ''}name`, ...lineOf(text, ['name']) }),
  }))
  if (refused !== undefined)
    return { ...found, name: manifest.name, state: 'unreadable', problems: [...problems, refused] }
  return { ...found, name: manifest.name, manifest, problems: [...problems, ...unusedParts(named, realPath, names)] }
}

/** What a plugin's own manifest names in vain, because a marketplace says all there is to the plugin. */
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
          message: `What ${own} says of ${[field, ...others].join(', ')} does nothing: with "strict": false its marketplace says all there is to the plugin.`,
          hint: 'Say it in the entry of the marketplace, or take "strict" off.',
        },
      ]
}

export function goneProblem(folder: string): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'plugin-not-found',
    path: folder,
    message: `There is no plugin folder ${folder}.`,
    hint: 'Correct the path, or take the plugin off the configuration.',
  }
}

/** What a folder that is no plugin may be instead. */
function hintFor(folder: string, names: readonly string[]): string {
  if (statOf(`${folder}/.claude-plugin/marketplace.json`)?.isFile() === true)
    return 'It is a marketplace: name it as one, in "marketplaces" or with --marketplace.'
  const agents = agentFolders.map(({ name }) => name).filter(name => names.includes(name))
  return agents.length === 0
    ? 'Add .claude-plugin/plugin.json with a name.'
    : `It is a project with ${agents.join(', ')}: name it in "additional", or with --add-dir.`
}

/** @param undescribed folders of its skills; that of plugins needs no word */
function bareManifest(name: string, folder: string, undescribed: readonly string[]): Manifest {
  const isUsual = undescribed.length === 1 && undescribed[0] === `${folder}/skills`
  return {
    name,
    isEntry: false,
    skills: isUsual ? [] : undescribed.map(path => ({ path, place: { path: folder } })),
    commands: undefined,
    hasDefaults: true,
    hooks: [],
    settings: new Map(),
    dependencies: [],
  }
}

/**
 * The manifest that counts: an entry that stands for it, `plugin.json`, the fields of a `package.json`, else what a
 * marketplace says.
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

/** Paths of skills that a marketplace names come on top of the manifest's. */
function withEntry(text: ManifestText, entry: ManifestText | undefined): ManifestText {
  const added = entry?.data['skills']
  if (typeof added !== 'string' && !Array.isArray(added)) return text
  const { skills = [] } = text.data
  return { ...text, data: { ...text.data, skills: [skills, added].flat() } }
}

/** What a package says of itself as a plugin; undefined for one that is none. */
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

/** A package's name as that of a plugin: without the scope, and what it must not hold as hyphens. */
function unscoped(name: string): string {
  return name
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
