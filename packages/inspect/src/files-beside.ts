import { readdirSync, type Dirent } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, compareCodeUnits, type Diagnostic } from '@skills/core'
import { ioProblem, lstatOf, plainFolder, slashes, targetOf } from '@skills/files/internal'
import { folderBatch } from './folder-batch.js'

export interface FilesBesideOptions {
  /** The skill's own file, absolute, which is not listed. */
  readonly except?: string | undefined
  /** Most files that are listed. Default: 200. */
  readonly most?: number | undefined
  /** Most entries of folders that are looked at to count the others. Default: 20,000. */
  readonly mostLooked?: number | undefined
  /** True if hidden entries and `node_modules` are listed too, except git's own folder. Default: false. */
  readonly all?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FileBeside {
  /** Relative to the skill's folder, with forward slashes. */
  readonly path: string
  /** A `link` is listed and never followed; `other` is a pipe, a socket or a device. */
  readonly kind: 'file' | 'link' | 'other'
  /** Bytes of a file. */
  readonly size?: number | undefined
  /** Target of a link, as written in it. */
  readonly target?: string | undefined
}

export interface FilesBeside {
  /** Files of a folder in code unit order, then those of the folders in it: shallow ones first. */
  readonly files: readonly FileBeside[]
  /** Number of files that are not listed. */
  readonly more: number
  /** Number of hidden entries and `node_modules` that were left out with everything in them. */
  readonly leftOut: number
  /** True if everything was looked at; otherwise there are more files than `more` says. */
  readonly isComplete: boolean
  /** Folders that cannot be read. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Lists the files in a skill's folder and below it, up to a limit. Works for any folder. See docs/reference/output.md,
 * "Show output".
 * @param folder absolute
 * @throws AbortError if the signal aborts
 */
export async function filesBeside(folder: string, options: FilesBesideOptions = {}): Promise<FilesBeside> {
  const { except, most = 200, mostLooked = 20_000, all = false, signal } = options
  const top = plainFolder(folder)
  const own = except === undefined ? undefined : slashes(except)
  const files: FileBeside[] = []
  const diagnostics: Diagnostic[] = []
  const pending = [top]
  let [more, leftOut, looked] = [0, 0, 0]
  let isComplete = true
  for (const [at, place] of pending.entries()) {
    if (signal?.aborted === true) throw abortError(signal)
    if (!isComplete) break
    if (at % folderBatch === folderBatch - 1) await turn()
    for (const entry of entriesOf(place)) {
      if (++looked > mostLooked) {
        isComplete = false
        break
      }
      const path = `${place}/${entry.name}`
      if (path === own) continue
      const isLeftOut = all ? entry.name === '.git' : entry.name.startsWith('.') || entry.name === 'node_modules'
      if (isLeftOut) leftOut++
      else if (entry.isDirectory()) pending.push(path)
      else if (files.length >= most) more++
      else files.push(describeFile(entry, path, path.slice(top.length + 1)))
    }
  }
  return { files, more, leftOut, isComplete, diagnostics }

  function entriesOf(place: string): readonly Dirent[] {
    try {
      return readdirSync(place, { withFileTypes: true }).sort((a, b) => compareCodeUnits(a.name, b.name))
    } catch (error) {
      diagnostics.push(ioProblem('The folder', place, error))
      return []
    }
  }
}

function describeFile(entry: Dirent, absolute: string, path: string): FileBeside {
  if (entry.isSymbolicLink()) return { path, kind: 'link', target: targetOf(absolute) }
  // A file that was removed since it was listed has no size.
  return entry.isFile() ? { path, kind: 'file', size: lstatOf(absolute)?.size } : { path, kind: 'other' }
}
