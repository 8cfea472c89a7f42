export interface Limits {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly maxRatio: number
  /** Path of the file for the content of a tar archive. Undefined: it stays in memory, up to a limit. */
  readonly spool?: string | undefined
}
