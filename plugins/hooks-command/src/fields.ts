export type Fields = Readonly<Record<string, unknown>>

/** True for an object that is neither a list nor null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
