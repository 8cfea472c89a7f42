import { defineKind, type MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    state: State
  }
}

/**
 * What is remembered between sessions, by name: `trust`, `approvals`, `usage`. See docs/reference/sessions.md, "State".
 */
export interface State {
  /** The current value of a name; undefined when there is none. Check it: any program may have written it. */
  read(name: string, call: { readonly signal: AbortSignal }): MaybePromise<unknown>
  /**
   * Replaces a value by what `change` makes of it, so that no change of another process is lost. Gives the new value.
   * @param change may be called again when the value changed meanwhile; undefined removes it
   */
  update(
    name: string,
    change: (value: unknown) => unknown,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<unknown>
}

/** A value that cannot be read or kept is an error for the caller. */
export const stateKind = defineKind('state', { arity: 'one', limitMs: 10_000, onFailure: 'throw' })
