export type Fields = Readonly<Record<string, unknown>>

/** Whether something that was declared or said has fields: neither a list nor null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
