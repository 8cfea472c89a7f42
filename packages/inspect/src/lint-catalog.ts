import * as s from '@skills/core/schema'
import { pathOf, type Catalog, type Diagnostic, type PromptCommand } from '@skills/core'
import { countsOf, lintFiles, lintOptions, type LintResult } from './lint-files.js'
import { checkOverlap } from './check-overlap.js'
import { checkPluginHooks } from './plugin-hooks.js'
import { checkRequirements } from './requirements.js'

const catalogLintOptions = s.options('lintCatalog()', {
  /** What was reported besides the catalog's own, such as of a configuration file or of a source that failed. */
  reported: s.list(s.typed<Diagnostic>('a diagnostic')).default([]),
  /** Hooks that plugins bring along, of `pluginHooksOf`: what is wrong with them is an error, and each is said. */
  hooks: s.list(s.typed<PromptCommand>('a prompt command')).default([]),
  ...lintOptions.shape,
})

export interface CatalogLintOptions extends s.OptionsOf<typeof catalogLintOptions> {}

export interface CatalogLint extends LintResult {
  /** What is wrong elsewhere than in the files: folders, links, sources, the configuration. */
  readonly others: readonly Diagnostic[]
}

/**
 * Checks every file that a catalog was made of, those that did not load or lost their name among them, what was
 * reported, and whether what skills require is there. See docs/reference/lint.md, "Lint".
 * @throws AbortError when the signal aborts
 */
export async function lintCatalog(catalog: Catalog, given?: CatalogLintOptions): Promise<CatalogLint> {
  const options = catalogLintOptions.read(given)
  const { reported: besides, hooks, ...ofFiles } = options
  // What a source reports while it loads may be among the catalog's own.
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
    // What lies outside its root is not read, and above all not written.
    if (path !== undefined && type !== 'traversal' && path.toLowerCase().endsWith('/skill.md')) paths.add(path)
  }

  const linted = await lintFiles([...paths].sort(), ofFiles)
  const byPath = new Map(linted.files.map(file => [file.path, file]))
  const others: Diagnostic[] = []
  const added = new Map<string, Diagnostic[]>()
  for (const diagnostic of reported) {
    const file = diagnostic.path === undefined ? undefined : byPath.get(diagnostic.path)
    if (file === undefined) others.push(diagnostic)
    // Reading a file whole finds again what loading it found, unless the repair is written by now.
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

/** Tells one finding from another, wherever either was told of. */
export function keyOf({ code, path = '', line = 0, message }: Diagnostic): string {
  return [code, path, line, message].join('\0')
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && (one.field ?? '') === (other.field ?? '')
}
