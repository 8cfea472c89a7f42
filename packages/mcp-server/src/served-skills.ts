import { listedBy } from '@skills/invocation/skill-tool'
import { skillAddress } from '@skills/invocation/internal'
import { inOrder } from './pages.js'
import type { Catalog, CatalogEntry, PromptCommand } from '@skills/core'
import type { EnginePort } from '@skills/invocation/skill-tool'

/** Skill in a folder of this machine, and the address of the folder for clients. */
export interface ServedSkill {
  readonly entry: CatalogEntry
  readonly command: PromptCommand
  /** Address of the folder. Ends with a slash. */
  readonly root: string
  /** Address of its `SKILL.md`. */
  readonly uri: string
  /** Absolute path of the folder. */
  readonly folder: string
}

/** Skills of one catalog that may be served as files, sorted by address. */
export interface ServedSkills {
  readonly all: readonly ServedSkill[]
  readonly byRoot: ReadonlyMap<string, ServedSkill>
}

export const baseUri = 'skill://'
export const manifestName = 'SKILL.md'

const known = new WeakMap<Catalog, ServedSkills>()
const isListedToModels = listedBy()

/**
 * Returns the skills that may be listed to a model and are in a folder. Those that large sources found are not in `all`.
 * Computed once for each catalog.
 */
export function servedSkills(catalog: Catalog, isListed: EnginePort['isListed'] = isListedToModels): ServedSkills {
  const before = known.get(catalog)
  if (before !== undefined) return before
  const all = inOrder(servedOf(catalog.entries, isListed), uriOf)
  const found = servedOf(catalog.found, isListed)
  const made = { all, byRoot: new Map([...found, ...all].map(skill => [skill.root, skill])) }
  known.set(catalog, made)
  return made
}

/** Returns the entries that may be listed to a model and are in a folder. */
export function servedOf(
  entries: readonly CatalogEntry[],
  isListed: EnginePort['isListed'] = isListedToModels,
): readonly ServedSkill[] {
  return entries.filter(isListed).flatMap(servedAs)
}

/** Most parts of a name that an address is taken for. */
const mostParts = 4

/** Returns the names that the skill of an address may have: the first of its parts, the first two, and so on. */
export function namesIn(uri: string): readonly string[] {
  const parts = uri.slice(baseUri.length).split('/').slice(0, -1).slice(0, mostParts).map(decoded1)
  return parts.flatMap((part, at) => (part === undefined || part === '' ? [] : parts.slice(0, at + 1).join(':')))
}

export const uriOf = ({ uri }: ServedSkill): string => uri

function servedAs(entry: CatalogEntry): readonly ServedSkill[] {
  const { command } = entry
  if (command.type !== 'prompt') return []
  const { baseDir, filePath, file } = command
  // Files of other kinds of stores are not files of this machine.
  if (
    baseDir === undefined ||
    filePath !== `${baseDir}/${manifestName}` ||
    file === undefined ||
    file.version !== undefined
  )
    return []
  const root = `${skillAddress(entry.name)}/`
  return [{ entry, command, root, uri: `${root}${manifestName}`, folder: baseDir }]
}

/**
 * Returns the innermost skill whose folder contains an address, and the path inside this folder. Undefined if no folder
 * contains the address.
 */
export function placeOf(
  uri: string,
  { byRoot }: ServedSkills,
): { readonly skill: ServedSkill; readonly path: string } | undefined {
  for (let end = uri.lastIndexOf('/') + 1; end > baseUri.length; end = uri.lastIndexOf('/', end - 2) + 1) {
    const skill = byRoot.get(uri.slice(0, end))
    if (skill === undefined) continue
    const path = pathIn(uri.slice(end))
    return path === undefined ? undefined : { skill, path }
  }
  return undefined
}

/** Decodes a path. Undefined if it is hidden, or does not lead down. */
function pathIn(encoded: string): string | undefined {
  if (encoded === '') return ''
  const parts: string[] = []
  for (const part of encoded.split('/')) {
    const decoded = decoded1(part)
    if (decoded === undefined || decoded === '' || decoded.startsWith('.') || /[/\\\0]/.test(decoded)) return undefined
    parts.push(decoded)
  }
  return parts.join('/')
}

function decoded1(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    // The address is not validly encoded, so it is none of ours.
    return undefined
  }
}

/** Returns the address of a path inside a skill. */
export function addressIn({ root }: ServedSkill, path: string): string {
  return `${root}${path.split('/').map(encodeURIComponent).join('/')}`
}
