import type { Stats } from 'node:fs'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import { escapeProblem, followLink, lstatOf, realPathOf, targetOf } from './real-path.js'
import { identityOf } from './file-identity.js'
import { ioProblem, systemCode } from './problem.js'
import { kindOf, probeSync, type FileReads, type Head, type Probe } from './probe.js'
import { QuickReads } from './quick-reads.js'

export interface ReadFileOptions {
  /** Real paths of folders that a link must not lead out of. Undefined: links may lead anywhere. */
  readonly within?: readonly string[] | undefined
  /** Bytes. Default 1 MiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
  /** What others have read and need not be read again. Default: it is read for this call alone. */
  readonly sharedReads?: FileReads | undefined
}

export type WholeFile =
  | { readonly bytes: Buffer; readonly identity: FileIdentity; readonly stats: Stats }
  | { readonly problem: Diagnostic }
  | undefined

/**
 * Reads a whole file that comes from outside; every such file is read by this function, by the next one or by the walk. It refuses what
 * is no regular file, really lies outside, or is too large, also when it grows meanwhile: what was opened is asked, so that a swap
 * between looking and opening changes nothing. A problem says what, where and what to do. Undefined when nothing is there.
 */
export async function readWholeFile(path: string, { within, maxBytes = 1024 * 1024, signal, sharedReads }: ReadFileOptions = {}): Promise<WholeFile> {
  const stopIfAborted = (): void => {
    if (signal?.aborted === true) throw abortError(signal)
  }
  stopIfAborted()
  const reading = new FileReading(path, within, maxBytes, sharedReads !== undefined)
  const take = (head: Head): boolean => {
    stopIfAborted()
    return reading.take(head)
  }
  const read = async (from: string): Promise<Probe> => sharedReads === undefined ? atOnce.read(from, maxBytes, take) : sharedReads.probeSlowly(from, maxBytes, take, undefined)
  let file = reading.refuse() ?? reading.finish(await read(reading.realPath))
  if (file === 'link') file = reading.follow() ?? reading.finish(await read(reading.realPath))
  stopIfAborted()
  return reading.settle(file)
}

/**
 * The same at once, for a few small files that are probably in the page cache: with callbacks each would wait its turn several times.
 * Whoever reads many gives the rest of the process its turns.
 */
export function readWholeFileSync(path: string, { within, maxBytes = 1024 * 1024 }: Omit<ReadFileOptions, 'signal' | 'sharedReads'> = {}): WholeFile {
  const reading = new FileReading(path, within, maxBytes)
  const read = (from: string): Probe => probeSync(from, true, maxBytes, head => reading.take(head), undefined)
  let file = reading.refuse() ?? reading.finish(read(reading.realPath))
  if (file === 'link') file = reading.follow() ?? reading.finish(read(reading.realPath))
  return reading.settle(file)
}

/** One for the process: what is quick for one reader is quick for the next. */
const atOnce = new QuickReads()

/** How far the reading of one file is. */
class FileReading {
  realPath: string
  readonly #path: string
  readonly #within: readonly string[] | undefined
  readonly #maxBytes: number
  readonly #escape: Diagnostic | undefined
  #bytes: Buffer | undefined
  #stats: Stats | undefined
  /** What is wrong with where the open file lies. */
  #misplaced: Diagnostic | undefined

  /** @param byRealPath whether others know the file by its real path alone */
  constructor(path: string, within: readonly string[] | undefined, maxBytes: number, byRealPath = false) {
    this.#path = path
    this.#within = within
    this.#maxBytes = maxBytes
    // Not the file alone but any folder on the way to it may be a link.
    const resolved = within === undefined && !byRealPath ? undefined : resolvedPath(path)
    this.#escape = resolved === undefined ? undefined : escapeProblem(path, resolved, within)
    this.realPath = resolved ?? path
  }

  refuse(): WholeFile {
    if (this.#escape !== undefined) return { problem: this.#escape }
    // Opening a device may do something.
    const stats = lstatOf(this.realPath)
    return stats === undefined || stats.isFile() || stats.isSymbolicLink() ? undefined : { problem: notAFile(this.#path, kindOf(stats)) }
  }

  /** Takes a head; true asks for more of the file. */
  take({ bytes, length, isWhole, descriptor, stats }: Head): boolean {
    if (this.#stats === undefined) this.#misplaced = this.#misplacedOf(descriptor, stats)
    this.#stats = stats
    if (this.#misplaced !== undefined) return false
    // A head is only lent: its buffer is the next file's.
    if (isWhole) this.#bytes = Buffer.from(bytes.subarray(0, length))
    return !isWhole
  }

  /** What is wrong with where a file lies that was opened: a folder on the way to it may have become a link since it was looked at. */
  #misplacedOf(descriptor: number | undefined, stats: Stats): Diagnostic | undefined {
    if (this.#within === undefined) return undefined
    // Linux tells of an open file where it lies. Elsewhere the path is asked again, and must still lead to what was opened.
    const told = descriptor === undefined || process.platform !== 'linux' ? undefined : targetOf(`/proc/self/fd/${descriptor}`)
    if (told === this.realPath || told === `${this.realPath} (deleted)`) return undefined
    const place = told ?? resolvedPath(this.#path)
    const now = told === undefined && place !== undefined ? lstatOf(place) : stats
    if (place === undefined || now?.ino !== stats.ino || now.dev !== stats.dev) return swapped(this.#path)
    return escapeProblem(this.#path, place, this.#within)
  }

  /** Where the link leads that stands at the path; undefined when it may be read. */
  follow(): WholeFile {
    const target = followLink(this.#path, this.#within)
    if ('problem' in target) return target
    this.realPath = target.realPath
    this.#stats = undefined
    return this.refuse()
  }

  finish(probe: Probe): WholeFile | 'link' | 'nothing' {
    const path = this.#path
    switch (probe.found) {
      case 'file': {
        if (this.#misplaced !== undefined) return { problem: this.#misplaced }
        return this.#bytes === undefined || this.#stats === undefined ? 'nothing' : { bytes: this.#bytes, identity: identityOf(this.realPath, this.#stats), stats: this.#stats }
      }
      case 'nothing': return 'nothing'
      case 'link': return 'link'
      case 'error': return { problem: ioProblem('The file', path, probe.error) }
      case 'too-large': return { problem: tooLarge(path, probe.size, this.#maxBytes) }
      case 'other': return { problem: notAFile(path, probe.kind) }
    }
  }

  settle(file: WholeFile | 'link' | 'nothing'): WholeFile {
    if (file === 'nothing') return undefined
    // What a link led to is a link by now.
    return file === 'link' ? { problem: swapped(this.#path) } : file
  }
}

function notAFile(path: string, kind: string): Diagnostic {
  return { severity: 'error', type: 'io', code: 'not-a-file', path, message: `${path} is ${kind}, not a file.`, hint: 'Put a regular file in its place, or remove it.' }
}

function tooLarge(path: string, size: number, most: number): Diagnostic {
  return { severity: 'error', type: 'validation', code: 'file-too-large', path, message: `${path} has ${size} bytes; ${most} are allowed.`, hint: 'Make it smaller.' }
}

function swapped(path: string): Diagnostic {
  return { severity: 'error', type: 'io', code: 'unreadable', path, message: `${path} was replaced while it was opened, and was not read.`, hint: 'Try again when no other program writes it.' }
}

/** Undefined for what is not there or cannot be resolved: reading it tells which. */
function resolvedPath(path: string): string | undefined {
  try {
    return realPathOf(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
