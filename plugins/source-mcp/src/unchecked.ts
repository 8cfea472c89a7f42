/** Takes any answer of a server: each part of an answer is looked at by itself, so that a bad one costs no other. */
export const anything = {
  '~standard': { version: 1, vendor: 'skills', validate: (value: unknown) => ({ value }) },
} as const

/** The fields of an unchecked value; none where it has no fields. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A field of an unchecked value, where it is text. */
export function textIn(value: unknown, field: string): string | undefined {
  const found = recordOf(value)[field]
  return typeof found === 'string' ? found : undefined
}
