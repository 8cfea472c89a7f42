import { abortError } from '@skills/core'
import { slashes } from './slashes.js'

/**
 * The files that people's glob patterns mean, absolute, in code unit order. Hidden folders count; `node_modules` and
 * `.git` do not. Rejects with an `AbortError` when the signal aborts.
 * @param cwd what relative patterns start from, absolute
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
  // The library gives what it had found until then.
  if (signal?.aborted === true) throw abortError(signal)
  return found.map(slashes).sort()
}
