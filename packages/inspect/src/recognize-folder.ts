import { readdirSync } from 'node:fs'
import { readJsonFile } from '@skills/files'
import {
  isInside,
  isStandardManifest,
  localPlugins,
  realPathOf,
  skillFoldersIn,
  standardManifest,
  standardServers,
  statOf,
  unlessRefused,
} from '@skills/files/internal'
import { hasManifest } from './package-file.js'

/** Kind of a folder, by what a person can do with its skills. */
export type FolderKind = 'marketplace' | 'plugin' | 'skill' | 'skills'

export interface RecognizedFolder {
  readonly kind: FolderKind
  /** Absolute, with forward slashes. */
  readonly path: string
  /** File that decides the kind, absolute; undefined if the layout decides it. */
  readonly file?: string | undefined
  /** For `skills`: the folders that hold skills, absolute. */
  readonly folders: readonly string[]
}

/**
 * Recognises a folder by the names of its files, most comprehensive kind first. A folder can have several kinds: a
 * marketplace that is also a plugin is both. Returns none for a folder that has nothing to do with skills. Loads
 * nothing, and reads nothing but a `package.json` and a root `plugin.json`.
 * @param path absolute, with forward slashes
 */
export function recognizeFolder(path: string): readonly RecognizedFolder[] {
  const file = (name: string): string | undefined =>
    statOf(`${path}/${name}`)?.isFile() === true ? `${path}/${name}` : undefined
  const other = file('.claude-plugin/plugin.json') ?? packageManifest(path)
  const [marketplace, manifest, own] = [
    file('.claude-plugin/marketplace.json'),
    rootManifest(path, other) ?? other,
    file('SKILL.md'),
  ]
  // Above a repository, folders of folders hold other projects.
  const folders = skillFoldersIn(path, { isDeep: statOf(`${path}/.git`) !== undefined })
  const isSkill = own !== undefined && folders.length === 0
  // Skills that no plugin of a marketplace has are loaded beside its plugins.
  const areListed = marketplace !== undefined && listsFolder(marketplace, path, `${path}/skills`)
  const found: readonly (
    | (Omit<RecognizedFolder, 'path' | 'folders'> & { readonly folders?: readonly string[] })
    | undefined
  )[] = [
    manifest === undefined ? undefined : { kind: 'plugin', file: manifest },
    marketplace === undefined ? undefined : { kind: 'marketplace', file: marketplace },
    manifest === undefined && isSkill ? { kind: 'skill', file: own } : undefined,
    manifest === undefined &&
    !isSkill &&
    folders.length > 0 &&
    (marketplace === undefined || (folders[0]?.startsWith(`${path}/skills`) === true && !areListed))
      ? { kind: 'skills', folders }
      : undefined,
  ]
  return found.flatMap(one => (one === undefined ? [] : { folders: [], ...one, path }))
}

/**
 * Sorts folders that a person names into marketplaces and plugins. A folder counts as a marketplace if it has the file
 * of a marketplace and no plugin manifest; any other folder counts as a plugin. A marketplace with a folder `skills` of
 * which no plugin of it has anything counts as both.
 */
export function sortFolders(paths: readonly string[]): {
  readonly plugins: readonly string[]
  readonly marketplaces: readonly string[]
} {
  const sorted = paths.map(path => ({ path, kinds: recognizeFolder(path).map(({ kind }) => kind) }))
  const isMarketplace = ({ kinds: [first] }: (typeof sorted)[number]): boolean => first === 'marketplace'
  return {
    plugins: sorted.filter(one => !isMarketplace(one) || one.kinds.includes('skills')).map(({ path }) => path),
    marketplaces: sorted.filter(isMarketplace).map(({ path }) => path),
  }
}

/** Returns the folders that a host loads as a whole: plugins and marketplaces. */
export function publishedFolders(paths: readonly string[]): readonly string[] {
  return paths.filter(path => recognizeFolder(path).some(({ kind }) => kind === 'plugin' || kind === 'marketplace'))
}

/** Returns true if a local plugin of a marketplace has its root as its folder, or something in a folder. */
function listsFolder(file: string, root: string, folder: string): boolean {
  return unlessRefused(() => {
    const read = readJsonFile(file, {
      code: 'invalid-marketplace',
      what: 'The marketplace file',
      within: realPathOf(root) ?? root,
    })
    // Loading the marketplace reports a file that cannot be read.
    if (read === undefined || 'severity' in read) return true
    return localPlugins(read.data).some(({ path }) => path === '' || isInside(`${root}/${path}`, folder))
  }, true)
}

/**
 * Returns the path of a manifest of the Agent Plugins standard. A `plugin.json` without `$schema` counts only beside
 * skills or servers: otherwise it is a file of some other program.
 */
function rootManifest(path: string, other: string | undefined): string | undefined {
  const file = `${path}/${standardManifest}`
  if (statOf(file)?.isFile() !== true) return undefined
  const read = unlessRefused(
    () => readJsonFile(file, { code: 'invalid-manifest', what: 'The manifest', within: realPathOf(path) ?? path }),
    undefined,
  )
  const data = read === undefined || 'severity' in read ? undefined : read.data
  if (!isStandardManifest(data, other !== undefined)) return undefined
  const hasParts = ['skills', standardServers].some(name => statOf(`${path}/${name}`) !== undefined)
  return hasParts || String(data?.['$schema']).startsWith('https://agent-plugins.org/') ? file : undefined
}

/** Returns the path of a package file that says where skills are. Loading reports a file that cannot be read. */
function packageManifest(path: string): string | undefined {
  return unlessRefused(() => {
    const file = readJsonFile(`${path}/package.json`, {
      code: 'invalid-package',
      what: 'The package file',
      within: realPathOf(path) ?? path,
    })
    return file === undefined || 'severity' in file || !hasManifest(file.data) ? undefined : file.path
  }, undefined)
}

/**
 * Returns the folders of skills in an agent's folder, such as `.claude/skills` and `.cursor/Skills`, that have at least
 * one. Links are left out, because they lead to a folder that has its own place.
 * @param isKnown true for folders to leave out, which are then not listed: they may have thousands of skills
 */
export function agentFoldersIn(path: string, isKnown: (folder: string) => boolean = () => false): readonly string[] {
  return hiddenIn(path).flatMap(name =>
    foldersIn(`${path}/${name}`)
      .filter(inner => /^skills?$/i.test(inner))
      .map(inner => `${path}/${name}/${inner}`)
      .filter(folder => !isKnown(folder) && skillFoldersIn(folder, { isDeep: false }).length > 0),
  )
}

const hiddenIn = (path: string): readonly string[] => foldersIn(path).filter(name => /^\.(?!git$)/.test(name))

/** Returns the names of the folders in a folder, sorted. A folder that cannot be listed has none. */
function foldersIn(path: string): readonly string[] {
  return unlessRefused(
    () =>
      readdirSync(path, { withFileTypes: true })
        .filter(one => one.isDirectory())
        .map(({ name }) => name)
        .sort(),
    [],
  )
}
