import { defineProvider, type Provider } from '@skills/core'
import type { State } from '@skills/state'

/** Remembers nothing: what one trial used would change the listing of the next. */
const nothing = defineProvider({
  kind: 'state',
  id: 'nothing',
  setup: (): State => ({ read: () => undefined, update: (_name, change) => change(undefined) }),
})

/**
 * Options of a distribution for `triggers()`: no command, hook or fork of a skill runs, no home is written, and no trial
 * changes the next. Since nothing runs, trust decides nothing.
 */
export const trialOptions: {
  readonly shell: false
  readonly hooks: false
  readonly fork: false
  readonly trust: { readonly all: true }
  readonly state: Provider<'state'>
} = { shell: false, hooks: false, fork: false, trust: { all: true }, state: nothing }
