import * as s from '@skills/core/schema'
import { pathOf, type Catalog, type Diagnostic, type PromptCommand } from '@skills/core'
import { countsOf, lintFiles, lintOptions, type LintResult } from './lint-files.js'
import { checkOverlap } from './check-overlap.js'
import { checkPluginHooks } from './plugin-hooks.js'
import { checkRequirements } from './requirements.js'

const catalogLintOptions = s.options('lintCatalog()', {
  /** Diagnostics from elsewhere, such as from a configuration file or a source that failed. Default: none. */
  reported: s.list(s.typed<Diagnostic>('a diagnostic')).default([]),
  /**
   * Hooks of plugins, from `pluginHooksOf`. Each problem with them is an error, and each hook is reported. Default:
   * none.
   */
  hooks: s.list(s.typed<PromptCommand>('a prompt command')).default([]),
  ...lintOptions.shape,
})

export interface CatalogLintOptions extends s.OptionsOf<typeof catalogLintOptions> {}

export interface CatalogLint extends LintResult {
  /** Problems outside the files: of folders, links, sources, the configuration. */
  readonly others: readonly Diagnostic[]
}

/**
 * Checks every file from which a catalog was made, including files that did not load and skills that lost their name.
 * Adds the reported diagnostics, and checks whether required skills exist. See docs/reference/lint.md, "Lint".
 * @throws AbortError if the signal aborts
 */
export async function lintCatalog(catalog: Catalog, given?: CatalogLintOptions): Promise<CatalogLint> {
  const options = catalogLintOptions.read(given)
  const { reported: besides, hooks, ...ofFiles } = options
  // The catalog may already contain a diagnostic that a source reported while it loaded.
  const found = new Map<string, Diagnostic>()
  for (const one of [
    ...catalog.errors,
    ...catalog.warnings,
    ...checkPluginHooks(hooks),
    ...(await checkRequirements(catalog, options)),
    ...(await checkOverlap(catalog, options)),
    ...besides.filter(({ severity }) => severity !== 'info'),
  ])
    if (!found.has(keyOf(one))) found.set(keyOf(one), one)
  const reported = [...found.values()]
  const paths = new Set<string>()
  for (const { command } of [
    ...catalog.entries,
    ...catalog.collisions.map(({ loser }) => loser),
    ...catalog.disabled,
  ]) {
    const { path } = pathOf(command)
    if (path !== undefined) paths.add(path)
  }
  for (const { path, type } of reported) {
    // A file outside its root is not read, and above all not written.
    if (path !== undefined && type !== 'traversal' && path.toLowerCase().endsWith('/skill.md')) paths.add(path)
  }

  const linted = await lintFiles([...paths].sort(), ofFiles)
  const byPath = new Map(linted.files.map(file => [file.path, file]))
  const others: Diagnostic[] = []
  const added = new Map<string, Diagnostic[]>()
  for (const diagnostic of reported) {
    const file = diagnostic.path === undefined ? undefined : byPath.get(diagnostic.path)
    if (file === undefined) others.push(diagnostic)
    // Reading the whole file finds the same problems as loading it did, unless a repair was written.
    else if (![...file.diagnostics, ...file.fixed].some(one => isSame(one, diagnostic))) {
      added.set(file.path, [...(added.get(file.path) ?? []), diagnostic])
    }
  }
  const files = linted.files.map(file => ({
    ...file,
    diagnostics: [...file.diagnostics, ...(added.get(file.path) ?? [])],
  }))
  return { files, others, counts: countsOf(files, others) }
}

/** Returns a key that tells findings apart. */
export function keyOf({ code, path = '', line = 0, message }: Diagnostic): string {
  return [code, path, line, message].join('\0')
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && (one.field ?? '') === (other.field ?? '')
}
