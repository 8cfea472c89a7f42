import { defineKind, type MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    state: State
  }
}

/** What is remembered between sessions, by name: `trust`, `approvals`, `usage`. See docs/reference.md, "State". */
export interface State {
  /** The value of a name as it is now; undefined when there is none. Treat it as what anybody may have written. */
  read(name: string, call: { readonly signal: AbortSignal }): MaybePromise<unknown>
  /**
   * Replaces a value by what `change` makes of it, so that no change of another process is lost. Gives the new value.
   * @param change may be called again when the value changed meanwhile; undefined removes it
   */
  update(name: string, change: (value: unknown) => unknown, call: { readonly signal: AbortSignal }): MaybePromise<unknown>
}

/** Whoever wants something remembered hears that it could not be. */
export const stateKind = defineKind('state', { arity: 'one', limitMs: 10_000, onFailure: 'throw' })
