import { nameKey, type CatalogEntry } from '@skills/core'
import type { Candidate } from '@skills/rules/internal'

const usualSources: readonly string[] = [
  'managed',
  'user',
  'project',
  'additional',
  'plugin',
  'bundled',
  'mcp',
  'builtin',
]

/** Returns the name of a command with its source, as a saved rule names it: `user:deploy`. */
export function boundName({ name, command: { source } }: CatalogEntry): string {
  return name.startsWith(`${source}:`) ? name : `${source}:${name}`
}

/**
 * Returns the names by which a rule may allow a command: its canonical one, and that with its source. A name that
 * claims another source is left out: a plugin named `user` must not be taken for the user.
 */
export function allowedNames(entry: CatalogEntry): readonly Candidate[] {
  const name = nameKey(entry.name)
  const { source, loadedFrom } = entry.command
  const [first, ...rest] = name.split(':')
  const claims = rest.length > 0 && first !== undefined && usualSources.includes(first) && first !== source
  const isForeign = claims || (name.startsWith('mcp__') && source !== 'mcp' && loadedFrom !== 'mcp')
  const bound = { text: nameKey(boundName(entry)), from: source.length }
  return isForeign ? [bound] : name === bound.text ? [{ ...bound, from: 0 }] : [{ text: name, from: 0 }, bound]
}

/** Returns the names by which a rule may forbid a command: every one that it has, in lower case. */
export function forbiddenNames(entry: CatalogEntry): readonly Candidate[] {
  const { name, command } = entry
  const { source, displayName, aliases } = command
  const found = new Map<string, Candidate>()
  const add = (text: string, from: number): void => {
    const key = nameKey(text).toLowerCase()
    if ((found.get(key)?.from ?? 1) > 0) found.set(key, { text: key, from })
  }
  for (const one of [name, command.name, displayName, ...aliases]) add(one, 0)
  for (const one of [boundName(entry), `${source}:${command.name}`]) add(one, source.length)
  return [...found.values()]
}
