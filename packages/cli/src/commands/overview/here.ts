import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { findSkillFiles } from '@skills/inspect'
import { problemsOf, type RecognizedFolder, recognizeFolder } from '@skills/inspect/internal'
import { pathOf, type Catalog, type Diagnostic } from '@skills/core'
import { withPluginsAlone } from '@skills/authoring'

/** Working folder, or one above it, as a plugin, marketplace or other kind, and what a host would load from it. */
export interface Here extends RecognizedFolder {
  /** Other kinds that the same folder has. */
  readonly also: readonly RecognizedFolder[]
  /** Number of plugins that load, with or without a skill. */
  readonly loaded: number
  /** Reasons why other plugins are not read. */
  readonly notes: readonly string[]
  /** Plugins with at least one skill and the number of their skills, in order. */
  readonly plugins: readonly { readonly name: string; readonly found: number }[]
  readonly skills: readonly string[]
  readonly problems: readonly Diagnostic[]
  /** Number of `SKILL.md` files below it that belong to none of its plugins. */
  readonly unlisted: number
}

/**
 * Describes the nearest folder at or above `cwd`, up to the repository's root, that has skills in any form. Returns
 * undefined if there is none, or if the catalog has it already.
 */
export async function lookHere(cwd: string, looked: Catalog, signal: AbortSignal): Promise<Here | undefined> {
  const found = nearest(cwd)
  const loaded = looked.places
    .filter(({ found: count, state }) => state === 'read' && count > 0)
    .map(({ path }) => path)
  const news = found
    .flatMap(one =>
      one.kind === 'agents' ? { ...one, folders: one.folders.filter(folder => !loaded.includes(folder)) } : one,
    )
    .filter(({ kind, path, folders }) =>
      kind === 'agents' ? folders.length > 0 : !loaded.some(place => isAt(path, place)),
    )
  const [first, ...also] = news
  if (first === undefined) return undefined
  const { publishedBy } = await import('../../engine/named-folders.js')
  const named =
    first.kind === 'marketplace'
      ? publishedBy([], [first.path])
      : publishedBy(first.kind === 'agents' ? first.folders : [first.path], [])
  return withPluginsAlone(named, signal, async (catalog, reported) => {
    const counts = new Map<string, number>()
    const skills = catalog.entries.flatMap(({ name, command }) =>
      command.type === 'prompt' && command.pluginName !== undefined
        ? [{ name, plugin: command.pluginName, path: pathOf(command).path }]
        : [],
    )
    for (const { plugin } of skills) counts.set(plugin, (counts.get(plugin) ?? 0) + 1)
    const { files } =
      first.kind === 'agents' || first.kind === 'skill'
        ? { files: [] }
        : await findSkillFiles([first.path], { cwd, signal })
    const known = new Set([...skills, ...catalog.errors].map(one => one.path))
    const places = catalog.places.filter(({ provider }) => provider === 'plugin')
    return {
      ...first,
      also,
      loaded: places.filter(({ state }) => state === 'read').length,
      notes: places.flatMap(({ note }) => note ?? []),
      plugins: [...counts].map(([name, count]) => ({ name, found: count })),
      skills: skills.map(({ name }) => name),
      problems: problemsOf(catalog, reported),
      unlisted: files.filter(file => !known.has(file)).length,
    }
  })
}

function nearest(cwd: string): readonly RecognizedFolder[] {
  for (let at = cwd; ; at = dirname(at)) {
    const found = recognizeFolder(at)
    if (found.length > 0 || existsSync(`${at}/.git`) || dirname(at) === at) return found
  }
}

/** Returns true if a path is a place or below it. */
function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}
