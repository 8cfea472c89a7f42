import { isJsonObject } from '@skills/files/internal'
import type { State } from '@skills/state'

/** Returns the objects in a list of the state. Other programs can write the file, so other values are dropped. */
export function recordsOf(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isJsonObject(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

export interface RememberCall {
  readonly signal?: AbortSignal | undefined
}

/** Makes the call for {@link State}, with a signal that never aborts if the caller gives none. */
export function callOf({ signal }: RememberCall): Parameters<State['read']>[1] {
  return { signal: signal ?? new AbortController().signal }
}
