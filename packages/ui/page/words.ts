import type { Status } from '@skills/core'

/** States of a skill, in words. */
export const stateWords: Readonly<Record<Status, string>> = {
  active: 'active',
  qualified: 'under a longer name',
  duplicate: 'copy of another',
  shadowed: 'shadowed',
  disabled: 'switched off',
  failed: 'failed to load',
  gone: 'gone',
}

export function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}
