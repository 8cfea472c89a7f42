import type { Catalog, Diagnostic } from '@skills/core'

/**
 * Returns all problems of what was loaded: errors, then warnings. The catalog's own come before others that were
 * reported.
 * @param first problems to put before all others, such as those of the configuration, which may have caused the rest
 */
export function problemsOf(
  catalog: Catalog,
  reported: readonly Diagnostic[],
  first: readonly Diagnostic[] = [],
): readonly Diagnostic[] {
  const known = new Map<string, Diagnostic>()
  for (const diagnostic of [...first, ...catalog.errors, ...catalog.warnings, ...reported]) {
    const { code, path, line, message } = diagnostic
    const key = [code, path, line, message].join('\0')
    if (diagnostic.severity !== 'info' && !known.has(key)) known.set(key, diagnostic)
  }
  const all = [...known.values()]
  return [...bySeverity(all.filter(one => first.includes(one))), ...bySeverity(all.filter(one => !first.includes(one)))]
}

function bySeverity(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  return [
    ...problems.filter(({ severity }) => severity === 'error'),
    ...problems.filter(({ severity }) => severity === 'warning'),
  ]
}

/** Returns for example `2 errors and 1 warning`, or an empty text if there are none. */
export function countsOf(problems: readonly Pick<Diagnostic, 'severity'>[]): string {
  const counts = (['error', 'warning'] as const).map(
    noun => [problems.filter(({ severity }) => severity === noun).length, noun] as const,
  )
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(' and ')
}

/** Returns a number with its noun: `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
