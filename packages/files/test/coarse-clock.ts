import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/**
 * Gives every file the same times until the test is over, like a file system of whole seconds does for files written in
 * one second.
 * @param seconds since the epoch
 * @param isCoarse selects paths. Default: all
 */
export function coarseClock(seconds: number, isCoarse: (path: string) => boolean = () => true): void {
  const { lstatSync, statSync, fstatSync } = fs
  const coarse = <T extends Function>(original: T): T =>
    new Proxy(original, {
      apply(target, self, given) {
        const stats: unknown = Reflect.apply(target, self, given)
        return stats instanceof fs.Stats && isCoarse(String(given[0]))
          ? Object.assign(stats, { mtimeMs: seconds * 1000, ctimeMs: seconds * 1000 })
          : stats
      },
    })
  const put = (functions: Partial<typeof fs>): void => {
    Object.assign(fs, functions)
    syncBuiltinESMExports()
  }
  onTestFinished(() => put({ lstatSync, statSync, fstatSync }))
  put({ lstatSync: coarse(lstatSync), statSync: coarse(statSync), fstatSync: coarse(fstatSync) })
}
