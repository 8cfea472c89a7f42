import type { Catalog, Diagnostic } from '@skills/core'

/**
 * Everything that is wrong with what was loaded: errors, then warnings; what was only reported comes after the
 * catalog's own.
 * @param first what comes before all of it, as that which is wrong with the configuration: it may be the cause of the
 *   rest
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

/** As `2 errors and 1 warning`; empty when there is neither. */
export function countsOf(problems: readonly Pick<Diagnostic, 'severity'>[]): string {
  const counts = (['error', 'warning'] as const).map(
    noun => [problems.filter(({ severity }) => severity === noun).length, noun] as const,
  )
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(' and ')
}

/** As `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
