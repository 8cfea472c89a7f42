export interface Limits {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly maxRatio: number
  /** Path of the file that takes what a tar archive holds. Undefined: it stays in memory, up to a limit. */
  readonly spool?: string | undefined
}
