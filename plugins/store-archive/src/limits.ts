export interface Limits {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly maxRatio: number
}
