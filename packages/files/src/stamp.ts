import { lstatSync, statSync } from 'node:fs'
import { after } from '@skills/store/internal'
import type { StoreAnswer, Store } from '@skills/store'
import { isFileSettled } from './file-identity.js'
import { systemCode } from './problem.js'

/** State of some files at one moment. */
export interface Stamp {
  /**
   * Text that changes whenever one of the files does, or the target of a link among them. Empty if certainly none of
   * them exists.
   */
  readonly text: string
  /**
   * True if any later change will change the text. The content of a file that was just written must not be kept: it may
   * change again within one tick of its clock.
   */
  readonly isSettled: boolean
}

// Most of the files that are checked beside skills do not exist. Making an error for each would be a noticeable part of
// the work.
const noThrow = { throwIfNoEntry: false } as const

/**
 * Returns the stamp of some files. Take it before reading them; comparing it later shows whether they have changed. A
 * file whose stats cannot be read counts as existing. Its stamp is the system's error code, and reading the file
 * reports the reason.
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

/** Returns the stamp of a file in any store. In a store with versions, a stamp is settled at once. */
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
