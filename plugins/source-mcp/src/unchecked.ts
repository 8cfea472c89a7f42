/**
 * Schema that accepts any answer. Parts of an answer are checked separately, so that a bad one does not affect others.
 */
export const anything = {
  '~standard': { version: 1, vendor: 'skills', validate: (value: unknown) => ({ value }) },
} as const

/** Returns the fields of an unchecked value, or none if it is not an object. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Returns a field of an unchecked value if it is text. */
export function textIn(value: unknown, field: string): string | undefined {
  const found = recordOf(value)[field]
  return typeof found === 'string' ? found : undefined
}
