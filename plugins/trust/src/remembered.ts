import type { State } from '@skills/state'

/** The objects in a list that is remembered. What anybody may have written counts only as far as it can be understood. */
export function recordsOf(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}

export interface RememberCall {
  readonly signal?: AbortSignal | undefined
}

/** What {@link State} wants of a call that nobody aborts. */
export function callOf({ signal }: RememberCall): Parameters<State['read']>[1] {
  return { signal: signal ?? new AbortController().signal }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
