import { withPluginsAlone } from '@skills/authoring'
import { pathOf, type Diagnostic, type Host } from '@skills/core'
import { readJsonFile } from '@skills/files'
import { isJsonObject, marketplaceEntries, realPathOf } from '@skills/files/internal'
import { findSkillFiles } from '@skills/inspect'
import { problemsOf, type RecognizedFolder } from '@skills/inspect/internal'
import { publishedBy } from '../../engine/named-folders.js'

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
  /** Plugins with at least one skill or command, and how many they have, in order. */
  readonly plugins: readonly { readonly name: string; readonly skills: number; readonly commands: number }[]
  readonly skills: readonly string[]
  /** Legacy commands of plugins, which are files without a folder. */
  readonly commands: readonly string[]
  readonly problems: readonly Diagnostic[]
  /** Plugins of a marketplace that lie in other repositories or packages, by name. */
  readonly remote: readonly string[]
  /** Number of `SKILL.md` files below it that belong to none of its plugins. */
  readonly unlisted: number
}

/** Loads a folder alone, as a host would, and describes what it has. @param also other kinds that it has */
export function loadHere(
  first: RecognizedFolder,
  also: readonly RecognizedFolder[],
  { cwd }: Pick<Host, 'cwd'>,
  signal: AbortSignal,
): Promise<Here> {
  const named = first.kind === 'marketplace' ? publishedBy([], [first.path]) : publishedBy([first.path], [])
  return withPluginsAlone(named, signal, async (catalog, reported) => {
    const loaded = catalog.entries.flatMap(({ name, command }) =>
      command.type === 'prompt' && command.pluginName !== undefined
        ? [{ name, plugin: command.pluginName, path: pathOf(command).path, isSkill: command.isSkill }]
        : [],
    )
    const [skills, commands] = [loaded.filter(one => one.isSkill), loaded.filter(one => !one.isSkill)]
    const countIn = (list: typeof loaded, name: string): number => list.filter(({ plugin }) => plugin === name).length
    const { files } = first.kind === 'skill' ? { files: [] } : await findSkillFiles([first.path], { cwd, signal })
    // A folder of an agent may be a link to the folder of the skills.
    const realOf = (path: string | undefined): string | undefined => (path === undefined ? undefined : realPathOf(path))
    const known = new Set([...loaded, ...catalog.errors].map(({ path }) => realOf(path)))
    const places = catalog.places.filter(({ provider }) => provider === 'plugin')
    return {
      ...first,
      also,
      loaded: places.filter(({ state }) => state === 'read').length,
      remote: remoteIn(first),
      notes: places.flatMap(({ note }) => note ?? []),
      plugins: [...new Set(loaded.map(({ plugin }) => plugin))].map(name => ({
        name,
        skills: countIn(skills, name),
        commands: countIn(commands, name),
      })),
      skills: skills.map(({ name }) => name),
      commands: commands.map(({ name }) => name),
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
