import { pathOf } from './catalog.js'
import { withDeadline } from './host.js'
import { checkedResult, loadResult, type LoadParts, type LoadResult } from './source.js'
import type { Command } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { CatalogRules } from './build-catalog.js'
import type { Kernel } from './kernel.js'
import type { MaybePromise } from './promise.js'

/**
 * Returns the result of a source that did not finish: the commands that it found this time, then the commands of its
 * last result that it has not found again. They may still exist, because the source did not look everywhere.
 */
export function withUnseen(seen: LoadResult, known: LoadResult | undefined): LoadResult {
  if (known === undefined) return seen
  const keyOf = (command: Command): string => pathOf(command).path ?? command.name
  const met = new Set<string | undefined>([
    undefined,
    ...seen.commands.map(keyOf),
    ...seen.errors.map(({ path }) => path),
  ])
  const isUnseen = ({ path }: Diagnostic): boolean => !met.has(path)
  return loadResult({
    commands: [...seen.commands, ...known.commands.filter(command => !met.has(keyOf(command)))],
    errors: [...seen.errors, ...known.errors.filter(isUnseen)],
    warnings: [...seen.warnings, ...known.warnings.filter(isUnseen)],
    disabledPaths: [...seen.disabledPaths, ...known.disabledPaths],
    places: [...seen.places, ...known.places.filter(({ path }) => !seen.places.some(place => place.path === path))],
    qualifiers: [...seen.qualifiers, ...known.qualifiers],
    incomplete: seen.incomplete,
  })
}

/** Returns what a source that stopped had found until then; undefined if it cannot say. */
export async function foundSoFar(
  id: string,
  found: () => MaybePromise<LoadParts>,
  { kernel, rules: { clock } }: { readonly kernel: Kernel; readonly rules: CatalogRules },
  signal: AbortSignal,
): Promise<LoadResult | undefined> {
  try {
    const limit = { ms: 1000, clock, what: '' }
    return await checkedResult(id, await withDeadline(found, { signals: [signal], limit }), kernel.words)
  } catch {
    // The failure is already reported. The caller checks for an abort next.
    return undefined
  }
}
