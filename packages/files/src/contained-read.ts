import type { Stats } from 'node:fs'
import type { Diagnostic } from '@skills/core'
import { after } from '@skills/store/internal'
import type { StoreAnswer, StoreFile } from '@skills/store'
import type { FileRead } from './file-reads.js'
import { escapeProblem, followLink, lstatOf, realPathOf, targetOf } from './real-path.js'
import { unlessRefused } from './problem.js'

export interface ContainedRead {
  /** Real paths of folders that a link must not lead out of. Undefined: links may lead anywhere. */
  readonly within: readonly string[] | undefined
  readonly maxBytes: number
}

/**
 * Reads a file that comes from outside, following links. Checks where the opened file lies, so that nobody gains by
 * swapping the file between the check and the opening. Throws system errors, or rejects with system errors.
 * @param read reads a file that is not a link, at once or with callbacks
 */
export function readContained<A extends StoreAnswer<StoreFile | undefined>>(
  path: string,
  call: ContainedRead,
  read: (realPath: string, call: FileRead) => A,
): A | StoreFile | undefined {
  const place = new Place(path, call)
  const readThere = (): A => read(place.realPath, place.call)
  return after<StoreFile | undefined, StoreFile | undefined>(place.refusal() ?? readThere(), file =>
    file?.found === 'link' ? after(place.follow() ?? readThere(), place.settle) : file,
  ) as A | StoreFile | undefined
}

/** Place where a file is expected to lie. */
class Place {
  realPath: string
  readonly #path: string
  readonly #resolved: string | undefined
  readonly #within: readonly string[] | undefined
  readonly #maxBytes: number

  constructor(path: string, { within, maxBytes }: ContainedRead) {
    this.#path = path
    this.#within = within
    this.#maxBytes = maxBytes
    // A folder on the way to the file may be a link too.
    this.#resolved = within === undefined ? undefined : resolvedPath(path)
    this.realPath = this.#resolved ?? path
  }

  get call(): FileRead {
    return { maxBytes: this.#maxBytes, realPath: this.realPath, onOpen: this.#misplaced }
  }

  refusal(): StoreFile | undefined {
    const problem = this.#resolved === undefined ? undefined : escapeProblem(this.#path, this.#resolved, this.#within)
    return problem && { found: 'refused', problem }
  }

  /** Follows the link at the path. Returns a refusal, or undefined if its target may be read. */
  follow(): StoreFile | undefined {
    const target = followLink(this.#path, this.#within)
    if ('problem' in target) return { found: 'refused', problem: target.problem }
    this.realPath = target.realPath
    return undefined
  }

  /** Refuses a target that has become a link meanwhile. */
  readonly settle = (file: StoreFile | undefined): StoreFile | undefined =>
    file?.found === 'link' ? swapped(this.#path) : file

  /**
   * Refuses an opened file that lies outside: a folder on the way to it may have become a link since it was checked.
   */
  readonly #misplaced = (descriptor: number, stats: Stats): StoreFile | undefined => {
    if (this.#within === undefined) return undefined
    // Linux says where an open file lies. Elsewhere the path is resolved again, and must still lead to the opened file.
    const told = process.platform === 'linux' ? targetOf(`/proc/self/fd/${descriptor}`) : undefined
    if (told === this.realPath || told === `${this.realPath} (deleted)`) return undefined
    const place = told ?? resolvedPath(this.#path)
    const now = told === undefined && place !== undefined ? lstatOf(place) : stats
    if (place === undefined || now?.ino !== stats.ino || now.dev !== stats.dev) return swapped(this.#path)
    const problem = escapeProblem(this.#path, place, this.#within)
    return problem && { found: 'refused', problem }
  }
}

function swapped(path: string): StoreFile {
  const problem: Diagnostic = {
    severity: 'error',
    type: 'io',
    code: 'unreadable',
    path,
    message: `${path} was replaced while it was opened, and was not read.`,
    hint: 'Try again when no other program writes that file.',
  }
  return { found: 'refused', problem }
}

/** Returns the real path, or undefined if nothing is there or it cannot be resolved. Reading the file tells which. */
function resolvedPath(path: string): string | undefined {
  return unlessRefused(() => realPathOf(path), undefined)
}
