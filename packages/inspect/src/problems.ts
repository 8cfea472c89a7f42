import type { Catalog, Diagnostic } from '@skills/core'

/**
 * Returns all problems of what was loaded: errors, then warnings. The catalog's own problems come before other reported
 * problems.
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
