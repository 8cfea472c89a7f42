import { defineProvider, type Provider } from '@skills/core'
import type { State } from '@skills/state'

/** State that stores nothing. Otherwise the usage of one trial would change the listing of the next. */
const nothing = defineProvider({
  kind: 'state',
  id: 'nothing',
  setup: (): State => ({ read: () => undefined, update: (_name, change) => change(undefined) }),
})

/**
 * Options of a distribution for `triggers()`. No command, hook or fork of a skill is executed, nothing is written to
 * the home folder, and no trial affects the next one. All folders are trusted, because no code of a skill is executed.
 */
export const trialOptions: {
  readonly shell: false
  readonly hooks: false
  readonly fork: false
  readonly trust: { readonly all: true }
  readonly state: Provider<'state'>
} = { shell: false, hooks: false, fork: false, trust: { all: true }, state: nothing }
