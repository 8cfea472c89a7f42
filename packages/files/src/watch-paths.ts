import { watchPathsOptions, type PathWatch, type WatchPathsOptions } from './watch-options.js'

/**
 * Watches files and folders that may come and go, and links on the way to them and below them. Settles when everything
 * is watched: each later change is reported. Rejects with an `AbortError` if the signal aborts before. See
 * docs/reference/sources.md, "Watching".
 */
export async function watchPaths(given: WatchPathsOptions): Promise<PathWatch> {
  const options = watchPathsOptions.read(given)
  return (await import('./watch-session.js')).startSession(options)
}
