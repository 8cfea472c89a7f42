import type { Status } from '@skills/core'

/** Words for the status of a command. */
export const stateWords: Readonly<Record<Status, string>> = {
  active: 'active',
  qualified: 'active under this name',
  duplicate: 'left out: the same as another',
  shadowed: 'shadowed',
  disabled: 'disabled',
  failed: 'failed to load',
  gone: 'gone',
}
