import * as s from '@skills/core/schema'
import { systemClock, type FileIdentity } from '@skills/core'
import type { SharedReading } from '@skills/skill-md/internal'
import { after, withRead } from '@skills/store/internal'
import {
  escapeProblem,
  type StoreAnswer,
  type ReadCall,
  type Store,
  type StoreContent,
  type StoreFile,
} from '@skills/store'
import { isFileSettled, isUnchanged } from './file-identity.js'

/**
 * Wrapper for a store that changes how its files are read: each file once for several readers, or only the wanted
 * files.
 */
export interface FileReads {
  over(store: Store): Store
  /**
   * True if the catalog is loaded once, as in a program that prints it and ends. Then no stamps are taken for a later
   * comparison, and a later load reads the files again. Default: false.
   */
  readonly looksOnce?: boolean | undefined
  /**
   * True if each whole file is read once and kept, as in a program that answers one question about a skill, invokes none
   * and ends. Default: false, so an invocation reads the current file.
   */
  readonly keepsBodies?: boolean | undefined
  /** Texts, YAML and digests of the files, which several engines in turn share. Default: each engine makes its own. */
  readonly shared?: SharedReading | undefined
}

/** Reads of a program that loads its catalog once. */
export const readingOnce: FileReads = { over: store => store, looksOnce: true }

const sharedReadsOptions = s.options('new SharedReads()', {
  /** Most bytes that are kept; files read longest ago are dropped first. */
  bytes: s.number().default(64 * 1024 * 1024),
  /** Largest file in bytes that is shared; each reader reads a larger one itself, as far as it needs. */
  fileBytes: s.number().default(96 * 1024),
  /** Returns the time in milliseconds since the epoch. Default: the system's clock. */
  now: s.fn<() => number>().default(systemClock.now),
})

export interface SharedReadsOptions extends s.OptionsOf<typeof sharedReadsOptions> {}

/** Approximate bytes of memory for a file besides its own bytes. */
const recordBytes = 512

interface KeptFile {
  readonly content: StoreContent
  readonly identity: FileIdentity
  /** Time at which its reading began, in milliseconds since the epoch. */
  readonly readAt: number
}

/**
 * Reads each file once for several engines of one process: an unchanged file comes from memory. Only bytes are shared;
 * each engine parses them itself. See docs/reference/skill-files.md, "Shared reads".
 *
 *     const sharedReads = new SharedReads()
 *     const engines = [standard({ sharedReads }), opencode({ sharedReads })].map(createSkills)
 */
export class SharedReads implements FileReads {
  readonly #limit: number
  readonly #fileLimit: number
  readonly #now: () => number
  /** Kept files by store and real path, in the order of reading. */
  readonly #kept = new Map<string, KeptFile>()
  /** Files that are being read. */
  readonly #underWay = new Map<string, Promise<StoreFile | undefined>>()
  #bytesKept = 0
  #filesRead = 0
  #filesShared = 0
  /** Number of stores besides the disk so far. */
  #places = 0

  constructor(given?: SharedReadsOptions) {
    const { bytes, fileBytes, now } = sharedReadsOptions.read(given)
    this.#limit = bytes
    this.#fileLimit = fileBytes
    this.#now = now
  }

  /** Number of times that a file was opened and read. */
  get filesRead(): number {
    return this.#filesRead
  }

  /** Number of times that a file was answered from memory. */
  get filesShared(): number {
    return this.#filesShared
  }

  /** Bytes in memory; about half a KiB a file beyond its own bytes. */
  get bytesKept(): number {
    return this.#bytesKept
  }

  /** Drops everything that is kept. Later reads go to the store again. */
  clear(): void {
    this.#kept.clear()
    this.#bytesKept = 0
  }

  /** Wraps a store so that each file is read once for all users of these reads. */
  over(store: Store): Store {
    // All stores of the disk share one key. Two other stores may have different files at one path.
    const place = store.id === 'disk' ? '' : `${++this.#places}\0`
    return withRead(store, (path, call) => {
      const { within, realPath = path } = call
      if (within === undefined) return this.#read(store, path, realPath, place, call)
      return after(store.realPath?.(path, call), (real = path) =>
        // The store itself refuses a file that must not be read.
        within !== 'anywhere' && escapeProblem(path, real, within, () => false) !== undefined
          ? store.read(path, call)
          : this.#read(store, path, real, place, call),
      )
    })
  }

  #read(
    store: Store,
    path: string,
    realPath: string,
    place: string,
    call: ReadCall,
  ): StoreAnswer<StoreFile | undefined> {
    const key = place + realPath
    const other = this.#underWay.get(key)
    if (other !== undefined)
      return other.then(
        () => this.#read(store, path, realPath, place, call),
        () => this.#read(store, path, realPath, place, call),
      )
    const kept = this.#kept.get(key)
    if (kept === undefined) return this.#readAnew(store, path, key, call)
    return after(store.stat(realPath, call), (stats): StoreAnswer<StoreFile | undefined> => {
      if (stats === undefined || !isUnchanged(kept.identity, stats.identity, kept.readAt)) {
        this.#drop(key, kept)
        return this.#readAnew(store, path, key, call)
      }
      if (kept.content.length > call.maxBytes) return { found: 'too-large', size: kept.content.length }
      this.#filesShared++
      return kept.content
    })
  }

  #readAnew(store: Store, path: string, key: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    const readAt = this.#now()
    const answer = this.#readWhole(store, path, call)
    const keep = (file: StoreFile | undefined): StoreFile | undefined => this.#keep(key, file, readAt)
    if (!(answer instanceof Promise)) return keep(answer)
    const outcome = answer.then(keep).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, outcome)
    return outcome
  }

  /** Reads a whole file if it is small enough to be kept, because another reader may ask for more of it. */
  #readWhole(store: Store, path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    // A problem in the rest of a file does not concern a reader of its head.
    const headAlone = (): StoreAnswer<StoreFile | undefined> => store.read(path, call)
    try {
      const answer = store.read(path, { ...call, wholeUpTo: this.#fileLimit })
      return answer instanceof Promise ? answer.catch(headAlone) : answer
    } catch {
      return headAlone()
    }
  }

  #keep(key: string, file: StoreFile | undefined, readAt: number): StoreFile | undefined {
    if (file?.found !== 'file') return file
    this.#filesRead++
    const { identity } = file.stats
    // A file that may still change within one tick of its clock could not be told from its earlier state.
    if (
      !file.isWhole ||
      file.length > this.#fileLimit ||
      (identity.version === undefined && !isFileSettled(identity, readAt))
    )
      return file
    const before = this.#kept.get(key)
    if (before !== undefined) this.#drop(key, before)
    // The buffer has the file's own size, and is not from the pool, which would keep its neighbours in memory.
    const bytes = Buffer.allocUnsafeSlow(file.length)
    file.bytes.copy(bytes, 0, 0, file.length)
    const kept: KeptFile = { content: { ...file, bytes }, identity, readAt }
    // A file larger than the whole limit would drive out everything and then itself.
    if (sizeOf(kept) > this.#limit) return file
    this.#kept.set(key, kept)
    this.#bytesKept += sizeOf(kept)
    for (const [oldest, one] of this.#kept) {
      if (this.#bytesKept <= this.#limit) break
      this.#drop(oldest, one)
    }
    return kept.content
  }

  #drop(key: string, kept: KeptFile): void {
    this.#kept.delete(key)
    this.#bytesKept -= sizeOf(kept)
  }
}

function sizeOf({ content }: KeptFile): number {
  return content.length + recordBytes
}
