import { listedBy } from '@skills/invocation/skill-tool'
import { inOrder } from './pages.js'
import type { Catalog, CatalogEntry, PromptCommand } from '@skills/core'
import type { EnginePort } from '@skills/invocation/skill-tool'

/** A skill in a folder of this machine, and the address that its folder has for clients. */
export interface ServedSkill {
  readonly entry: CatalogEntry
  readonly command: PromptCommand
  /** Ends with a slash. */
  readonly root: string
  /** Of its `SKILL.md`. */
  readonly uri: string
  /** Absolute. */
  readonly folder: string
}

/** The skills of one catalog that may be served as files, in the order of their addresses. */
export interface ServedSkills {
  readonly all: readonly ServedSkill[]
  readonly byRoot: ReadonlyMap<string, ServedSkill>
}

export const baseUri = 'skill://'
export const manifestName = 'SKILL.md'

const known = new WeakMap<Catalog, ServedSkills>()
const isListedToModels = listedBy()

/** What a model may be told of and that lies in a folder. Made once for each catalog. */
export function servedSkills(catalog: Catalog, isListed: EnginePort['isListed'] = isListedToModels): ServedSkills {
  const found = known.get(catalog)
  if (found !== undefined) return found
  const all = inOrder(catalog.entries.filter(isListed).flatMap(servedAs), uriOf)
  const made = { all, byRoot: new Map(all.map(skill => [skill.root, skill])) }
  known.set(catalog, made)
  return made
}

export const uriOf = ({ uri }: ServedSkill): string => uri

function servedAs(entry: CatalogEntry): readonly ServedSkill[] {
  const { command } = entry
  if (command.type !== 'prompt') return []
  const { baseDir, filePath, file } = command
  // What a store of another kind has is no file of this machine.
  if (
    baseDir === undefined ||
    filePath !== `${baseDir}/${manifestName}` ||
    file === undefined ||
    file.version !== undefined
  )
    return []
  const root = `${baseUri}${entry.name.split(':').map(encodeURIComponent).join('/')}/`
  return [{ entry, command, root, uri: `${root}${manifestName}`, folder: baseDir }]
}

/** The skill whose folder an address lies in, the innermost one, and the path within; undefined outside of all. */
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

/** Undefined for what is no plain path down, or hidden. */
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
    // Not the encoding of anything: such an address was never given out.
    return undefined
  }
}

/** The address of a path within a skill. */
export function addressIn({ root }: ServedSkill, path: string): string {
  return `${root}${path.split('/').map(encodeURIComponent).join('/')}`
}
