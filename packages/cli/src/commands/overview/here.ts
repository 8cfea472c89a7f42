import { findSkillFiles } from '@skills/inspect'
import { problemsOf, skillsHere, type RecognizedFolder } from '@skills/inspect/internal'
import { readJsonFile } from '@skills/files'
import { isJsonObject, marketplaceEntries, realPathOf } from '@skills/files/internal'
import { pathOf, type Catalog, type Diagnostic, type Host } from '@skills/core'
import { withPluginsAlone } from '@skills/authoring'

/**
 * The working folder, or a folder above it, with its kind, such as a plugin or a marketplace, and what a host would
 * load from it.
 */
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
  /** Plugins of a marketplace that lie in other repositories or packages, by name. */
  readonly remote: readonly string[]
  /** Number of `SKILL.md` files below it that belong to none of its plugins. */
  readonly unlisted: number
}

/**
 * Describes the nearest of the project's folders that has skills in any form. Returns undefined if there is none, or if
 * the catalog already has its skills.
 */
export async function lookHere(host: Host, looked: Catalog, signal: AbortSignal): Promise<Here | undefined> {
  const news = skillsHere(host, looked)
  const [first, ...also] = news
  if (first === undefined) return undefined
  const { publishedBy } = await import('../../engine/named-folders.js')
  const named = first.kind === 'marketplace' ? publishedBy([], [first.path]) : publishedBy([first.path], [])
  return withPluginsAlone(named, signal, async (catalog, reported) => {
    const counts = new Map<string, number>()
    const skills = catalog.entries.flatMap(({ name, command }) =>
      command.type === 'prompt' && command.pluginName !== undefined
        ? [{ name, plugin: command.pluginName, path: pathOf(command).path }]
        : [],
    )
    for (const { plugin } of skills) counts.set(plugin, (counts.get(plugin) ?? 0) + 1)
    const { files } =
      first.kind === 'skill' ? { files: [] } : await findSkillFiles([first.path], { cwd: host.cwd, signal })
    // A folder of an agent may be a link to the folder of the skills.
    const realOf = (path: string | undefined): string | undefined => (path === undefined ? undefined : realPathOf(path))
    const known = new Set([...skills, ...catalog.errors].map(({ path }) => realOf(path)))
    const places = catalog.places.filter(({ provider }) => provider === 'plugin')
    return {
      ...first,
      also,
      loaded: places.filter(({ state }) => state === 'read').length,
      remote: remoteIn(first),
      notes: places.flatMap(({ note }) => note ?? []),
      plugins: [...counts].map(([name, count]) => ({ name, found: count })),
      skills: skills.map(({ name }) => name),
      problems: problemsOf(catalog, reported),
      unlisted: files.filter(file => !known.has(realOf(file))).length,
    }
  })
}

/** Returns the names of a marketplace's plugins that lie elsewhere. */
function remoteIn({ kind, path, file }: RecognizedFolder): readonly string[] {
  if (kind !== 'marketplace' || file === undefined) return []
  const read = readJsonFile(file, { code: 'invalid-marketplace', what: 'The marketplace file', within: path })
  // Loading the marketplace reports a file that cannot be read.
  if (read === undefined || 'severity' in read) return []
  return marketplaceEntries(read.data).flatMap(({ name, source }) =>
    typeof name === 'string' && isJsonObject(source) ? [name] : [],
  )
}
