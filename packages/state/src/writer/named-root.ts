import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import { temporaryName } from '../temporary.js'
import { Root } from './root.js'
import { systemCode } from '../state-error.js'

/**
 * The root of a folder that a person named. Where it lies in the working folder, or in a repository, links on the way to
 * it are someone else's, and none is followed; elsewhere they are the person's own.
 * @param path absolute and normalized; it need not exist
 * @param cwd the working folder, likewise
 */
export function namedRoot(path: string, cwd: string): Root {
  const folder = slashes(path)
  const top = projectOf(folder, slashes(cwd))
  return top === undefined
    ? new Root(folder, { kind: 'person' })
    : new Root(folder, { kind: 'project', top, places: [''] })
}

/**
 * Writes a file that a person named, in place of the one that is there. Throws `E_WRITE` for a link, for what is no
 * regular file and for one that is read-only, and system errors.
 * @param path absolute and normalized
 */
export function writeNamed(path: string, content: string | Uint8Array, cwd: string): void {
  namedRoot(dirname(path), cwd).write(basename(path), content, { replaces: 'named' })
}

/**
 * Makes a folder of one's own in the temporary folder, and removes those that killed processes left there.
 * @param before how its name begins
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

/** The outermost folder at or above a place that is the working folder or has a repository: what lies below came with it. */
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

/** What cannot be looked at, as below a file, is told of when it is written to. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
