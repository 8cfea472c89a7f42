import { closeSync, readSync } from 'node:fs'
import { openPlain } from './opener.js'
import { file, headBytes, probeSlowly, probeSync, type FileReads, type Place, type Probe, type TakeHead } from './probe.js'

/** Which files a walk is for. What is too many costs time alone; what is missing is not found. */
export interface WantedFiles {
  /** Whether the file at a path is wanted whatever it holds. Asked with forward slashes. */
  isWantedAt(path: string): boolean
  /** Whether one is wanted for its frontmatter: its bytes from the first fence to the last, one character a byte. */
  isWantedFor(block: string): boolean
}

/**
 * Reads of which a walk gets those files alone that it is for. The others are opened, looked at and passed over: nothing is made of them, not even
 * an error, and a walk has them as files without an item. What is reached by a link of another name is always wanted, since it may be the same
 * file as one that is.
 */
export class SelectedReads implements FileReads {
  readonly #wanted: WantedFiles

  constructor(wanted: WantedFiles) {
    this.#wanted = wanted
  }

  /** For what reads files: as the function of this name, for those that are wanted. */
  probeSync<Target extends Place | undefined>(path: string, isLikely: boolean, maxBytes: number, take: TakeHead<Target>, target: Target): Probe {
    return isLikely && target !== undefined && this.#isUnwanted(path, target) ? file : probeSync(path, isLikely, maxBytes, take, target)
  }

  /** All of them: where storage makes one wait, what is made of a head takes no time. */
  readonly probeSlowly = probeSlowly

  #isUnwanted(path: string, { path: place, realPath }: Place): boolean {
    if (!path.startsWith(place) || isRenamed(path, place, realPath) || this.#wanted.isWantedAt(path)) return false
    const block = blockAt(path)
    return block !== undefined && !this.#wanted.isWantedFor(block)
  }
}

const bytes = Buffer.allocUnsafeSlow(headBytes)

/** The frontmatter of a file that has one in its first bytes, as nearly all have; undefined of any other, and of what is no plain file. */
function blockAt(path: string): string | undefined {
  let fd: number | undefined
  try {
    fd = openPlain(path)
    // From a place in the file: a pipe has none, and loses nothing.
    const length = readSync(fd, bytes, 0, headBytes, 0)
    const start = bytes.toString('latin1', 0, Math.min(5, length))
    const end = start.startsWith('---\n') || start === '---\r\n' ? bytes.indexOf('\n---', 3) : -1
    const isFence = end !== -1 && (bytes[end + 4] === 10 || (bytes[end + 4] === 13 && bytes[end + 5] === 10))
    return isFence && end + 6 <= length ? bytes.toString('latin1', 0, end) : undefined
  } catch {
    // The full reading says what is wrong.
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Whether a file goes by a name that a link gives its folder, or itself. */
function isRenamed(path: string, place: string, realPath: string): boolean {
  return place !== realPath && path.indexOf('/', place.length + 1) === -1 && lastOf(place) !== lastOf(realPath)
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
