import { defineKind, type MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    state: State
  }
}

/** Values kept between sessions, by name: `trust`, `approvals`, `usage`. See docs/reference/sessions.md, "State". */
export interface State {
  /** Returns the current value of a name, or undefined if there is none. Check it: any program may have written it. */
  read(name: string, call: { readonly signal: AbortSignal }): MaybePromise<unknown>
  /**
   * Replaces a value by the result of `change`, without losing changes of other processes. Returns the new value.
   * @param change called again if the value changed meanwhile; returning undefined removes the value
   */
  update(
    name: string,
    change: (value: unknown) => unknown,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<unknown>
}

export interface StateAsk {
  readonly signal?: AbortSignal | undefined
}

/** State that a program uses without an engine. */
export interface OpenedState extends State {
  read(name: string, call?: StateAsk): Promise<unknown>
  update(name: string, change: (value: unknown) => unknown, call?: StateAsk): Promise<unknown>
}

/** Kind of the state. If a value cannot be read or stored, the caller gets the error. */
export const stateKind = defineKind('state', { arity: 'one', limitMs: 10_000, onFailure: 'throw' })
