import { abortError } from '@skills/core'
import { slashes } from './slashes.js'

/**
 * Returns the files that match people's glob patterns, absolute, in code unit order. Includes hidden folders, but
 * neither `node_modules` nor `.git`. Rejects with an `AbortError` if the signal aborts.
 * @param cwd absolute folder that relative patterns start from
 */
export async function expandGlobs(
  patterns: readonly string[],
  cwd: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby')
  const found = await glob([...patterns], {
    cwd,
    absolute: true,
    dot: true,
    expandDirectories: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
    ...(signal === undefined ? {} : { signal }),
  })
  // The library returns what it has found so far when it is aborted.
  if (signal?.aborted === true) throw abortError(signal)
  return found.map(slashes).sort()
}
