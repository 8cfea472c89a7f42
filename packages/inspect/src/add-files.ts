import { rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAbortError, type Diagnostic } from '@skills/core'
import { slashes, systemCode } from '@skills/files'
import { makeFolder, missingFolders, refused, stopIfAborted } from './write-scaffold.js'

export interface AddedFiles {
  /** Absolute, forward slashes. */
  readonly files: readonly string[]
  /** Removes them again, and the folders that were made for them. */
  takeBack(): Promise<void>
}

/**
 * Writes files into a folder that is there. None is overwritten; a failure removes those that were written before it.
 * @param files paths are relative to the folder, forward slashes
 * @throws AbortError when the signal aborts; nothing is left then either
 */
export async function addFiles(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<AddedFiles | { readonly problem: Diagnostic }> {
  const written: string[] = []
  const made: string[] = []
  const takeBack = async (): Promise<void> => {
    for (const path of written) await rm(path, { force: true })
    for (const one of made.toReversed()) await rmdir(one)
  }
  for (const { path: relative, text } of files) {
    const path = slashes(join(folder, relative))
    try {
      stopIfAborted(signal)
      for (const missing of missingFolders(dirname(path))) {
        await makeFolder(missing)
        made.push(missing)
      }
      await writeFile(path, text, { flag: 'wx' })
      written.push(path)
    } catch (error) {
      await takeBack()
      const code = systemCode(error)
      if (code === undefined || isAbortError(error)) throw error
      return { problem: refused(path, code, undefined) }
    }
  }
  return { files: written, takeBack }
}
