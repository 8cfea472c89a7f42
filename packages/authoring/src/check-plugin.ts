import * as s from '@skills/core/schema'
import { pathOf, type Catalog, type Diagnostic, type PromptCommand } from '@skills/core'
import { plainFolder, realPathOf, standardServers } from '@skills/files/internal'
import { checkPackage } from './check-package.js'
import { checkPluginParts } from './check-plugin-parts.js'
import { checkEvalCases } from '@skills/evals/cases'
import { lintCatalog } from '@skills/inspect'
import { countsOf, keyOf, type CatalogLint } from '@skills/inspect/internal'
import { isPlugins, leftOut, relativePath } from './left-out.js'

const checkPluginOptions = s.options('checkPlugin()', {
  /** Folder of the plugin, absolute. */
  folder: s.text().required(),
  /**
   * True if it should become an npm package: then its package file is checked too. A plugin of a marketplace needs
   * none. Default: false.
   */
  asPackage: s.flag().default(false),
  /** Files that npm would publish, relative to the folder, with forward slashes. Default: not checked. */
  packed: s.list(s.text()),
  /** Diagnostics from elsewhere, such as from a source that failed. Default: none. */
  reported: s.list(s.typed<Diagnostic>('a diagnostic')),
  /** Hooks of the plugin, from `pluginHooksOf`. Default: none. */
  hooks: s.list(s.typed<PromptCommand>('a prompt command')),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface CheckPluginOptions extends s.OptionsOf<typeof checkPluginOptions> {}

export interface PluginSkill {
  /** Name by which a host's users invoke it. */
  readonly name: string
  /** Path of its file, relative to the plugin; undefined for a command whose text is in the manifest. */
  readonly path: string | undefined
  /** False for a legacy command. */
  readonly isSkill: boolean
}

export interface PluginCheck extends CatalogLint {
  /** Name of the npm package if it was checked, otherwise of the plugin; undefined if neither has one. */
  readonly name: string | undefined
  readonly version: string | undefined
  /** Skills and legacy commands that a host would load, in its order. */
  readonly skills: readonly PluginSkill[]
}

/**
 * Returns the skills that a host would load from a plugin, and the plugin's problems: everything that lint finds in its
 * skills, diagnostics of its source, and names that clash. For an npm package also problems of its package file, and
 * files that npm would not publish. See docs/reference/plugins.md, "Publishing a plugin".
 * @param catalog catalog of an engine that has this plugin and nothing else
 * @throws AbortError if the signal aborts
 */
export async function checkPlugin(catalog: Catalog, given: CheckPluginOptions): Promise<PluginCheck> {
  const { folder: at, asPackage, packed, reported, hooks, signal } = checkPluginOptions.read(given)
  const folder = plainFolder(at)
  const lint = await lintCatalog(catalog, { reported, hooks, beside: checkEvalCases, signal })
  const real = realPathOf(folder) ?? folder
  const { file, diagnostics } = asPackage
    ? await checkPackage(folder, real, signal)
    : { file: undefined, diagnostics: [] }
  const skills = catalog.entries.flatMap(({ name, command }) =>
    isPlugins(command) ? [{ name, path: relativePath(command, folder), isSkill: command.isSkill }] : [],
  )
  const known = new Set([...lint.others, ...lint.files.flatMap(one => one.diagnostics)].map(keyOf))
  const others = [
    ...lint.others,
    // Both checks report a package file that cannot be read.
    ...diagnostics.filter(
      one =>
        one.severity !== 'info' &&
        !known.has(keyOf(one)) &&
        !(
          one.code === 'invalid-package' &&
          lint.others.some(other => other.code === 'invalid-manifest' && other.path === one.path)
        ),
    ),
    ...checkPluginParts(catalog, { folder, hooks: hooks ?? [], packed: packed && new Set(packed) }),
    ...clashes(catalog),
    ...(packed === undefined ? [] : await leftOut(catalog, { folder, real, packed: new Set(packed), signal })),
  ]
  const remote = catalog.places.find(({ path, state }) => state === 'skipped' && path.endsWith('/marketplace.json'))
  if (remote !== undefined)
    others.push({
      severity: 'info',
      type: 'validation',
      code: 'remote-plugins',
      path: remote.path,
      message: remote.note ?? 'Plugins of this marketplace lie elsewhere.',
      hint: 'Check each of them in its own repository.',
    })
  // Servers alone make a plugin of the standard too.
  const servers = catalog.places.filter(({ path, note }) => path.endsWith(`/${standardServers}`) && note !== undefined)
  for (const { path, note = '' } of servers)
    others.push({
      severity: 'info',
      type: 'validation',
      code: 'plugin-servers',
      path,
      message: note,
      hint: 'Tell people which servers the plugin has, and what they are for.',
    })
  if (
    skills.length === 0 &&
    remote === undefined &&
    servers.length === 0 &&
    !others.some(({ severity }) => severity === 'error') &&
    lint.counts.errors === 0
  ) {
    others.push({
      severity: 'error',
      type: 'validation',
      code: 'no-skills',
      path: folder,
      message: `${folder} has no skill that a host would load.`,
      hint: 'Add a skill, as skills/NAME/SKILL.md.',
    })
  }
  const { name, version } = file?.data ?? pluginOf(catalog)
  return {
    ...lint,
    others,
    counts: countsOf(lint.files, others),
    skills,
    name: typeof name === 'string' ? name : undefined,
    version: typeof version === 'string' ? version : undefined,
  }
}

/** Returns name and version of a plugin, or nothing if several plugins share the folder, as in a marketplace. */
function pluginOf({ entries }: Catalog): { readonly name?: unknown; readonly version?: unknown } {
  const plugins = new Set(
    entries.map(({ command }) =>
      'plugin' in command && typeof command.plugin === 'object' ? command.plugin : undefined,
    ),
  )
  const [plugin] = plugins
  return plugins.size !== 1 || plugin === undefined || plugin === null ? {} : plugin
}

/**
 * Returns problems for two commands of one plugin with the same name: a host gives it to only one of them. For a skill
 * and a command this is a warning, because released programs load such a plugin, and the skill has the name.
 */
function clashes(catalog: Catalog): readonly Diagnostic[] {
  return catalog.collisions.flatMap(({ name, rule, winner, loser, reachableAs }): readonly Diagnostic[] => {
    if (!isPlugins(loser.command)) return []
    const goesBy = reachableAs === undefined ? 'is not loaded' : `goes by ${reachableAs}`
    const isMixed = winner.command.type === 'prompt' && winner.command.isSkill !== loser.command.isSkill
    const path = pathOf(winner.command).path ?? 'one of its manifest'
    return [
      {
        severity: rule === 'precedence' && !isMixed ? 'error' : 'warning',
        type: 'validation',
        code: 'name-clash',
        name,
        ...pathOf(loser.command),
        message: `${isMixed ? 'A skill and a command' : 'Two of its skills'} are called ${name}: ${path} has the name, and this one ${goesBy}.`,
        hint: isMixed
          ? 'Rename one of them, or remove the command if the skill replaces it.'
          : rule === 'precedence'
            ? 'Rename one of their folders.'
            : 'Both skills have the same text. Remove one of the folders, or its entry in the manifest.',
      },
    ]
  })
}
