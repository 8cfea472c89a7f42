import type { Catalog, Diagnostic } from '@skills/core'

/** Everything that is wrong with what was loaded: errors, then warnings; what was only reported comes after the catalog's own. */
export function problemsOf(catalog: Catalog, reported: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Map<string, Diagnostic>()
  for (const diagnostic of [...catalog.errors, ...catalog.warnings, ...reported]) {
    const { code, path, line, message } = diagnostic
    const key = [code, path, line, message].join('\0')
    if (diagnostic.severity !== 'info' && !known.has(key)) known.set(key, diagnostic)
  }
  const all = [...known.values()]
  return [...all.filter(({ severity }) => severity === 'error'), ...all.filter(({ severity }) => severity === 'warning')]
}

/** As `2 errors and 1 warning`; empty when there is neither. */
export function countsOf(problems: readonly Pick<Diagnostic, 'severity'>[]): string {
  const counts = (['error', 'warning'] as const).map(noun => [problems.filter(({ severity }) => severity === noun).length, noun] as const)
  return counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun)).join(' and ')
}

/** As `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
