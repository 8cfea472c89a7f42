import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import { temporaryName } from '../temporary.js'
import { Root } from './root.js'
import { systemCode } from '../state-error.js'

/**
 * Returns the writer for a folder that a person named. If the folder lies in the working folder or in a repository, no
 * link on the way to it is followed, because such links may be someone else's. Elsewhere links are the person's own and
 * are followed.
 * @param path absolute and normalized; the folder may be missing
 * @param cwd the working folder, absolute and normalized
 */
export function namedRoot(path: string, cwd: string): Root {
  const folder = slashes(path)
  const top = projectOf(folder, slashes(cwd))
  return top === undefined
    ? new Root(folder, { kind: 'person' })
    : new Root(folder, { kind: 'project', top, places: [''] })
}

/**
 * Writes a file that a person named, and replaces an existing file. Throws `E_WRITE` for a link, for anything but a
 * regular file, for a read-only file, and system errors.
 * @param path absolute and normalized
 */
export function writeNamed(path: string, content: string | Uint8Array, cwd: string): void {
  namedRoot(dirname(path), cwd).write(basename(path), content, { replaces: 'named' })
}

/**
 * Makes a folder for this process in the temporary folder, and removes such folders of killed processes.
 * @param before start of the folder's name
 */
export function temporaryRoot(before: string): Root {
  const top = new Root(tmpdir(), { kind: 'person' })
  top.removeAbandoned('', before)
  const name = temporaryName(before)
  top.makeFolder(name, 0o700)
  return new Root(`${top.realPath}/${name}`, { kind: 'temporary' })
}

/** Removes a folder that {@link temporaryRoot} made, with everything in it. */
export function removeTemporary({ path }: Root): void {
  new Root(dirname(path), { kind: 'person' }).remove(basename(path))
}

function slashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}

/**
 * Returns the outermost folder at or above a place that is the working folder or has a repository. Links below it may
 * have come with the repository.
 */
function projectOf(place: string, cwd: string): string | undefined {
  let top: string | undefined
  for (let at = place; ; at = dirname(at)) {
    if (at === cwd || hasRepository(at)) top = at
    if (at === dirname(at)) return top
  }
}

function hasRepository(folder: string): boolean {
  return ['.git', '.hg', '.svn', '.jj'].some(name => isThere(`${folder}/${name}`))
}

/** Returns false for a path that cannot be looked at, as below a file; writing it reports the error. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
