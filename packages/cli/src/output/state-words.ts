import type { Status } from '@skills/core'

/** What became of a command, in words. */
export const stateWords: Readonly<Record<Status, string>> = {
  active: 'active',
  qualified: 'active under this name',
  duplicate: 'left out: the same as another',
  shadowed: 'shadowed',
  disabled: 'disabled',
  failed: 'failed to load',
  gone: 'gone',
}
