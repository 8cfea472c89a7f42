import { isJsonObject } from '@skills/fs'
import type { State } from '@skills/state'

/** The objects in a list that is remembered. What anybody may have written counts only as far as it can be understood. */
export function recordsOf(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isJsonObject(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

export interface RememberCall {
  readonly signal?: AbortSignal | undefined
}

/** What {@link State} wants of a call that nobody aborts. */
export function callOf({ signal }: RememberCall): Parameters<State['read']>[1] {
  return { signal: signal ?? new AbortController().signal }
}
