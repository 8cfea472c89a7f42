import { readdirSync } from 'node:fs'
import { readJsonFile } from '@skills/files'
import { realPathOf, statOf, unlessRefused, skillFoldersIn } from '@skills/files/internal'
import { hasManifest } from './package-file.js'

/** What a folder is to a person who has skills: `agents` is a project with folders of agents. */
export type FolderKind = 'marketplace' | 'plugin' | 'skill' | 'skills' | 'agents'

export interface RecognizedFolder {
  readonly kind: FolderKind
  /** Absolute, forward slashes. */
  readonly path: string
  /** The file that says so, absolute; undefined where the layout does. */
  readonly file?: string | undefined
  /** Of `skills` and `agents`: the folders that hold skills, absolute. */
  readonly folders: readonly string[]
}

/**
 * What stands in a folder, by the names of its files alone, that which describes most of it first: a marketplace that
 * is a plugin too is both. Empty for a folder that has nothing to do with skills. Nothing is loaded, and but for a
 * `package.json` nothing is read.
 * @param path absolute, forward slashes
 */
export function recognizeFolder(path: string): readonly RecognizedFolder[] {
  const file = (name: string): string | undefined =>
    statOf(`${path}/${name}`)?.isFile() === true ? `${path}/${name}` : undefined
  const [marketplace, manifest, own] = [
    file('.claude-plugin/marketplace.json'),
    file('.claude-plugin/plugin.json') ?? packageManifest(path),
    file('SKILL.md'),
  ]
  const folders = skillFoldersIn(path)
  const agents = agentFoldersIn(path)
  const isSkill = own !== undefined && !folders.includes(`${path}/skills`)
  const found: readonly (
    | (Omit<RecognizedFolder, 'path' | 'folders'> & { readonly folders?: readonly string[] })
    | undefined
  )[] = [
    manifest === undefined ? undefined : { kind: 'plugin', file: manifest },
    marketplace === undefined ? undefined : { kind: 'marketplace', file: marketplace },
    manifest === undefined && isSkill ? { kind: 'skill', file: own } : undefined,
    manifest === undefined && marketplace === undefined && !isSkill && folders.length > 0
      ? { kind: 'skills', folders }
      : undefined,
    agents.length > 0 ? { kind: 'agents', folders: agents } : undefined,
  ]
  return found.flatMap(one => (one === undefined ? [] : { folders: [], ...one, path }))
}

/**
 * Folders that a person names, by what they are: a marketplace, unless it has a manifest of its own, or a plugin, as
 * which anything else is tried.
 */
export function sortFolders(paths: readonly string[]): {
  readonly plugins: readonly string[]
  readonly marketplaces: readonly string[]
} {
  const isMarketplace = (path: string): boolean => recognizeFolder(path)[0]?.kind === 'marketplace'
  return { plugins: paths.filter(path => !isMarketplace(path)), marketplaces: paths.filter(isMarketplace) }
}

/** Those of the folders that a host loads as a whole: plugins and marketplaces. */
export function publishedFolders(paths: readonly string[]): readonly string[] {
  return paths.filter(path => recognizeFolder(path).some(({ kind }) => kind === 'plugin' || kind === 'marketplace'))
}

/** A package file that says where skills are. One that cannot be read is told of by what loads it. */
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

/** Folders `.claude/skills`, `.cursor/skills` and the like that hold something. */
function agentFoldersIn(path: string): readonly string[] {
  // A folder that cannot be looked into is nothing that could be said of it.
  return unlessRefused(() => {
    const hidden = readdirSync(path, { withFileTypes: true })
      .filter(one => one.isDirectory() && /^\.(?!git$)/.test(one.name))
      .map(({ name }) => name)
      .sort()
    return hidden
      .flatMap(name => ['skills', 'skill'].map(inner => `${path}/${name}/${inner}`))
      .filter(folder => skillFoldersIn(folder).length > 0)
  }, [])
}
