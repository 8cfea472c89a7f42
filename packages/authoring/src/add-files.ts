import { dirname, join } from 'node:path'
import { isAbortError, type Diagnostic } from '@skills/core'
import { slashes } from '@skills/files/internal'
import { namedRoot } from '@skills/state/writer'
import { refused, stopIfAborted } from './write-scaffold.js'

export interface AddedFiles {
  /** Absolute paths with forward slashes. */
  readonly files: readonly string[]
  /** Removes the files again, and the folders that were made for them. */
  takeBack(): void
}

/**
 * Writes files into an existing folder. Overwrites no file. A failure removes the files written before it.
 * @param files paths are relative to the folder, with forward slashes
 * @throws AbortError if the signal aborts; nothing is left then either
 */
export async function addFiles(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<AddedFiles | { readonly problem: Diagnostic }> {
  const root = namedRoot(folder, folder)
  const written: string[] = []
  const made: string[] = []
  const below = (path: string): string => path.slice(folder.length + 1)
  const takeBack = (): void => {
    for (const path of written) root.remove(below(path))
    for (const one of made.toReversed()) root.removeEmpty(below(one))
  }
  for (const { path: relative, text } of files) {
    const path = slashes(join(folder, relative))
    try {
      stopIfAborted(signal)
      if (dirname(path) !== folder) made.push(...root.makeFolder(below(dirname(path))))
      root.write(below(path), text, { replaces: 'nothing' })
      written.push(path)
    } catch (error) {
      takeBack()
      if (isAbortError(error)) throw error
      return { problem: refused(path, error, undefined) }
    }
  }
  return { files: written, takeBack }
}
