export type Severity = 'error' | 'warning' | 'info'

/**
 * Kind of problem: reading a file, parsing it, the value of a field, a path that leaves its root, or a whole source.
 */
export type ProblemType = 'io' | 'parse' | 'validation' | 'traversal' | 'source'

/**
 * One finding about one place. The engine passes it on as data, and a host decides how to show it. See
 * docs/reference/errors.md, "Diagnostics".
 */
export interface Diagnostic {
  readonly severity: Severity
  readonly type: ProblemType
  /** Stable kebab-case name of the rule, such as `unclosed-frontmatter`. */
  readonly code: string
  /** One sentence that says what is wrong. */
  readonly message: string
  /** One sentence that says what to do about it. */
  readonly hint?: string
  /** Absolute path, forward slashes. */
  readonly path?: string
  /** 1-based line in the file at `path`. */
  readonly line?: number
  /** 1-based column, in UTF-16 code units. */
  readonly column?: number
  /** Key in the frontmatter or configuration. */
  readonly field?: string
  /** Name that the command has or would have had, so that `explain` finds it although it did not load. */
  readonly name?: string
  /** Id of the provider that reported it. */
  readonly provider?: string
}

/** Returns `path:line:column`, as far as known; empty if the finding has no place. */
export const locationOf = ({ path, line, column }: Pick<Diagnostic, 'path' | 'line' | 'column'>): string =>
  [path, path && line, line && column].filter(part => part !== undefined && part !== '').join(':')

/** Makes a finding about a provider or a listener. It has no file. */
export const engineProblem = (severity: Severity, code: string, message: string, provider?: string): Diagnostic => ({
  severity,
  type: 'source',
  code,
  message,
  ...(provider !== undefined && { provider }),
})
