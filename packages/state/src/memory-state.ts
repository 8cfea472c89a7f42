import { abortError, defineProvider, type Provider } from '@skills/core'
import { checkName } from './state-name.js'
import { decodeState, encodeState } from './state-text.js'
import type { State } from './state.js'

/**
 * Keeps state in memory until the process ends, under the same rules as {@link stateStore}: the provider `memory` of
 * the kind `state`. Engines with the same provider share its values. See docs/reference/sessions.md, "State".
 * @param values initial values, by name. Default: none
 */
export function memoryState(
  values: Readonly<Record<string, unknown>> = {},
): Provider<'state'> & { readonly state: State } {
  const texts = new Map<string, string>()
  const valueOf = (name: string): unknown => {
    const decoded = decodeState(Buffer.from(texts.get(name) ?? ''))
    return 'value' in decoded ? decoded.value : undefined
  }
  const replace = (name: string, value: unknown): void => {
    checkName(name)
    if (value === undefined) texts.delete(name)
    else texts.set(name, encodeState(name, value))
  }
  const state: State = {
    read(name, { signal }) {
      checkName(name)
      if (signal.aborted) throw abortError(signal)
      return valueOf(name)
    },
    update(name, change, { signal }) {
      checkName(name)
      if (signal.aborted) throw abortError(signal)
      replace(name, change(valueOf(name)))
      return valueOf(name)
    },
  }
  for (const [name, value] of Object.entries(values)) replace(name, value)
  return { ...defineProvider({ kind: 'state', id: 'memory', setup: () => state }), state }
}
