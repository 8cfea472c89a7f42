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

/** States of skills that are filters of the list, in words. */
export const filterWords: Readonly<Record<string, string>> = {
  problems: 'with problems',
  'told-whole': 'told whole',
  'told-cut': 'told cut',
  'told-name': 'told by name only',
  'told-omitted': 'left out: no room',
  'not-told': 'not told, as set',
  trust: 'wait for trust',
  ...stateWords,
}

/** Parts of a skill that a listing has, in words. */
export const partWords = { whole: 'whole', cut: 'cut', name: 'name only', omitted: 'left out' } as const

export function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}
