import { isSettled, statOf } from '@skills/fs'

/** The state of some files at one moment. */
export interface Stamp {
  /** Changes whenever one of the files does. */
  readonly text: string
  /** Whether a later change is sure to change it. */
  readonly isSettled: boolean
}

/** @param now milliseconds since the epoch */
export function stampOf(paths: readonly string[], now: number): Stamp {
  const stats = paths.map(statOf)
  return {
    text: stats.map(one => one === undefined ? '' : `${one.dev}:${one.ino}:${one.size}:${one.mtimeMs}:${one.ctimeMs}`).join(' '),
    isSettled: stats.every(one => one === undefined || (isSettled(one.mtimeMs, now) && isSettled(one.ctimeMs, now))),
  }
}
