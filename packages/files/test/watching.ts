import { watchPaths } from '@skills/files'
import type { PathWatch, WatchPathsOptions } from '@skills/files/internal'
import { onTestFinished } from 'vitest'
import type { Diagnostic } from '@skills/core'

export interface Watching extends PathWatch {
  /** Every batch so far. */
  readonly batches: readonly (readonly string[])[]
  readonly diagnostics: readonly Diagnostic[]
  /** Settles once each of these paths was reported since the last call. The test's own time limit guards it. */
  told(...paths: readonly string[]): Promise<void>
  /** Settles once this file, or a folder above it, was reported. */
  toldOf(file: string): Promise<void>
}

/** Watches paths until the end of the test. */
export async function watching(paths: readonly string[], options: Partial<WatchPathsOptions> = {}): Promise<Watching> {
  const batches: (readonly string[])[] = []
  const diagnostics: Diagnostic[] = []
  let since = 0
  let look = (): void => {}
  const watch = await watchPaths({
    paths,
    debounceMs: 20,
    onDiagnostic: diagnostic => diagnostics.push(diagnostic),
    ...options,
    async onChange(batch) {
      batches.push(batch)
      await options.onChange?.(batch)
      look()
    },
  })
  onTestFinished(() => watch.close())
  const until = (isTold: (all: ReadonlySet<string>) => boolean): Promise<void> =>
    new Promise(resolve => {
      look = () => {
        const all = new Set(batches.slice(since).flat())
        if (!isTold(all)) return
        since = batches.length
        look = () => {}
        resolve()
      }
      look()
    })
  return {
    batches,
    diagnostics,
    setPaths: given => watch.setPaths(given),
    close: () => watch.close(),
    told: (...expected) => until(all => expected.every(path => all.has(path))),
    toldOf: file => until(all => [...all].some(path => file === path || file.startsWith(`${path}/`))),
  }
}
