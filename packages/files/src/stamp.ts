import { lstatSync, statSync } from 'node:fs'
import { after } from '@skills/store/internal'
import type { StoreAnswer, Store } from '@skills/store'
import { isFileSettled } from './file-identity.js'
import { systemCode } from './problem.js'

/** The state of some files at one moment. */
export interface Stamp {
  /**
   * Changes whenever one of the files does, or what a link among them leads to. Empty where there is certainly none of
   * them.
   */
  readonly text: string
  /**
   * Whether a later change is sure to change the text. What was read of a file that had just been written must not be
   * kept: it may change again within one tick of its clock.
   */
  readonly isSettled: boolean
}

// Most files that are asked about beside skills are not there, and an error for each would be a good part of the work.
const noThrow = { throwIfNoEntry: false } as const

/**
 * What tells later whether files have changed, to be taken before they are read.
 * A file that cannot be looked at is there: its text is the system's code, and reading it tells why.
 * @param now milliseconds since the epoch
 */
export function stampOf(paths: readonly string[], now: number): Stamp {
  let isSettled = true
  const texts = paths.map(path => {
    try {
      const own = lstatSync(path, noThrow)
      if (own === undefined) return ''
      const target = own.isSymbolicLink() ? statSync(path, noThrow) : undefined
      return (target === undefined ? [own] : [own, target])
        .map(stats => {
          isSettled &&= isFileSettled(stats, now)
          return [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':')
        })
        .join(' ')
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      return code === 'ENOENT' || code === 'ENOTDIR' ? '' : code
    }
  })
  return { text: texts.some(text => text !== '') ? texts.join('\n') : '', isSettled }
}

/** The state of a file of any store. One whose store tells versions is settled at once. */
export function stampIn(store: Store, path: string, now: number): StoreAnswer<Stamp> {
  if (store.id === 'disk') return stampOf([path], now)
  return after(store.stat(path, { signal: new AbortController().signal }), (stats): Stamp => {
    if (stats === undefined) return { text: '', isSettled: true }
    const { version, size, mtimeMs, ctimeMs } = stats.identity
    return {
      text: version ?? [size, mtimeMs, ctimeMs].join(':'),
      isSettled: version !== undefined || isFileSettled(stats.identity, now),
    }
  })
}
