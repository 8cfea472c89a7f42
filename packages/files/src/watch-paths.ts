import { checkOptions } from '@skills/core'
import type { PathWatch, WatchPathsOptions } from './watch-options.js'

/**
 * Watches files and folders that may come and go, and links on the way to them and below them. Settles when everything
 * is watched: each later change is told. Rejects with an `AbortError` when the signal aborts before. See
 * docs/reference/skill-files.md, "Watching".
 */
export async function watchPaths(options: WatchPathsOptions): Promise<PathWatch> {
  checkOptions<WatchPathsOptions>('watchPaths()', options, {
    paths: 1,
    onChange: 1,
    onDiagnostic: 1,
    debounceMs: 1,
    pollMs: 1,
    ignores: 1,
    follows: 1,
    signal: 1,
    clock: 1,
  })
  return (await import('./watch-session.js')).startSession(options)
}
