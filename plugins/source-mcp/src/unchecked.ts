/** Takes whatever a server gives: each part of an answer is looked at by itself, so that a bad one costs no other. */
export const anything = { '~standard': { version: 1, vendor: 'skills', validate: (value: unknown) => ({ value }) } } as const

/** The fields of a value that nobody has checked; none where it has no fields. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A field of a value that nobody has checked, where it is text. */
export function textIn(value: unknown, field: string): string | undefined {
  const found = recordOf(value)[field]
  return typeof found === 'string' ? found : undefined
}
