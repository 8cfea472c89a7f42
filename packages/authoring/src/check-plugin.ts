import * as s from '@skills/core/schema'
import { pathOf, type Catalog, type Diagnostic, type PromptCommand } from '@skills/core'
import { plainFolder, realPathOf } from '@skills/files/internal'
import { checkPackage } from './check-package.js'
import { checkPluginParts } from './check-plugin-parts.js'
import { checkEvalCases } from '@skills/evals/cases'
import { lintCatalog } from '@skills/inspect'
import { countsOf, keyOf, type CatalogLint } from '@skills/inspect/internal'
import { isPlugins, leftOut, relativePath } from './left-out.js'

const checkPluginOptions = s.options('checkPlugin()', {
  /** The plugin's folder, absolute. */
  folder: s.text().required(),
  /**
   * Whether it is to be an npm package: then its package file is checked too. A plugin of a marketplace needs none.
   */
  asPackage: s.flag().default(false),
  /** The files that npm would publish, relative to the folder, forward slashes. Undefined: that is not looked at. */
  packed: s.list(s.text()),
  /** What was reported besides the catalog's own, such as of a source that failed. */
  reported: s.list(s.typed<Diagnostic>('a diagnostic')),
  /** Hooks that it brings along, of `pluginHooksOf`. */
  hooks: s.list(s.typed<PromptCommand>('a prompt command')),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface CheckPluginOptions extends s.OptionsOf<typeof checkPluginOptions> {}

export interface PluginSkill {
  /** What a host's users invoke it by. */
  readonly name: string
  /** Of its file, relative to the plugin; undefined for a command whose text stands in the manifest. */
  readonly path: string | undefined
}

export interface PluginCheck extends CatalogLint {
  /** Of the npm package that was checked, else of the plugin; undefined where neither has one. */
  readonly name: string | undefined
  readonly version: string | undefined
  /** What a host would load, in its order. */
  readonly skills: readonly PluginSkill[]
}

/**
 * What a host would load of a plugin, and what is wrong with it: everything that lint finds in its skills, what its
 * source reported, names that clash, and of an npm package its package file and what npm would leave out. See
 * docs/reference/plugins.md, "Publishing a plugin".
 * @param catalog of an engine that has this plugin and nothing else
 * @throws AbortError when the signal aborts
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
    isPlugins(command) ? [{ name, path: relativePath(command, folder) }] : [],
  )
  const known = new Set([...lint.others, ...lint.files.flatMap(one => one.diagnostics)].map(keyOf))
  const others = [
    ...lint.others,
    // A package file that cannot be read is told of by both.
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
  if (skills.length === 0 && !others.some(({ severity }) => severity === 'error') && lint.counts.errors === 0) {
    others.push({
      severity: 'error',
      type: 'validation',
      code: 'no-skills',
      path: folder,
      message: `${folder} has no skill that a host would load.`,
      hint: 'Add one, as skills/NAME/SKILL.md.',
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

/** What a plugin says that it is called; nothing where several plugins share the folder, as those of a marketplace. */
function pluginOf({ entries }: Catalog): { readonly name?: unknown; readonly version?: unknown } {
  const plugins = new Set(
    entries.map(({ command }) =>
      'plugin' in command && typeof command.plugin === 'object' ? command.plugin : undefined,
    ),
  )
  const [plugin] = plugins
  return plugins.size !== 1 || plugin === undefined || plugin === null ? {} : plugin
}

/** Two of one plugin that want one name: a host gives it to one of them. */
function clashes(catalog: Catalog): readonly Diagnostic[] {
  return catalog.collisions
    .filter(({ loser }) => isPlugins(loser.command))
    .map(({ name, rule, winner, loser, reachableAs }): Diagnostic => {
      const goesBy = reachableAs === undefined ? 'is not loaded' : `goes by ${reachableAs}`
      return {
        severity: rule === 'precedence' ? 'error' : 'warning',
        type: 'validation',
        code: 'name-clash',
        name,
        ...pathOf(loser.command),
        message: `Two of its skills are called ${name}: ${pathOf(winner.command).path ?? 'one of its manifest'} has the name, and this one ${goesBy}.`,
        hint:
          rule === 'precedence'
            ? 'Rename one of their folders.'
            : 'It is the same text: remove one of them, or take its folder off the manifest.',
      }
    })
}
