import * as s from '@skills/core/schema'
import { systemClock, type FileIdentity } from '@skills/core'
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

/** How files are read in front of a store: once for several who ask, or only those that are wanted. */
export interface FileReads {
  over(store: Store): Store
  /**
   * Whether the catalog is asked for once, as by a program that prints it and ends: then no file is asked for what a
   * later look would compare. A later look reads them again. Default false.
   */
  readonly looksOnce?: boolean | undefined
}

const sharedReadsOptions = s.options('new SharedReads()', {
  /** Bytes that are kept at most; what was read longest ago goes first. */
  bytes: s.number().default(64 * 1024 * 1024),
  /**
   * Bytes of the largest file that is shared; of a larger one each reader reads as much as it needs.
   */
  fileBytes: s.number().default(96 * 1024),
  /** Milliseconds since the epoch. Default: the system's clock. */
  now: s.fn<() => number>().default(systemClock.now),
})

export interface SharedReadsOptions extends s.OptionsOf<typeof sharedReadsOptions> {}

/** What a file takes in memory besides its bytes, about. */
const recordBytes = 512

interface KeptFile {
  readonly content: StoreContent
  readonly identity: FileIdentity
  /** When reading it began; milliseconds since the epoch. */
  readonly readAt: number
}

/**
 * What several engines of one process have read of their files, so that each file is read once: a file that is as it
 * was is answered from memory. Bytes are shared and nothing that is made of them. See
 * docs/reference/skill-files.md, "Shared reads".
 *
 *     const sharedReads = new SharedReads()
 *     const engines = [standard({ sharedReads }), opencode({ sharedReads })].map(createSkills)
 */
export class SharedReads implements FileReads {
  readonly #limit: number
  readonly #fileLimit: number
  readonly #now: () => number
  /** By store and real path, in the order of reading. */
  readonly #kept = new Map<string, KeptFile>()
  /** Files that are being read. */
  readonly #underWay = new Map<string, Promise<StoreFile | undefined>>()
  #bytesKept = 0
  #filesRead = 0
  #filesShared = 0
  /** Stores besides the disk so far. */
  #places = 0

  constructor(given?: SharedReadsOptions) {
    const { bytes, fileBytes, now } = sharedReadsOptions.read(given)
    this.#limit = bytes
    this.#fileLimit = fileBytes
    this.#now = now
  }

  /** Times that a file was opened and read. */
  get filesRead(): number {
    return this.#filesRead
  }

  /** Times that a file was answered from memory. */
  get filesShared(): number {
    return this.#filesShared
  }

  /** Bytes in memory, with about half a KiB a file beyond its own. */
  get bytesKept(): number {
    return this.#bytesKept
  }

  /** Drops what is kept. What is asked for afterwards is read again. */
  clear(): void {
    this.#kept.clear()
    this.#bytesKept = 0
  }

  /** The same store, of which each file is read once for all who share these reads. */
  over(store: Store): Store {
    // All stores of the disk are one place. Two others may have files of one path.
    const place = store.id === 'disk' ? '' : `${++this.#places}\0`
    return withRead(store, (path, call) => {
      const { within, realPath = path } = call
      if (within === undefined) return this.#read(store, path, realPath, place, call)
      return after(store.realPath?.(path, call), (real = path) =>
        // What may not be read is refused by the store itself.
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

  /** All of a file that is small enough to be kept: another reader may ask for more of it. */
  #readWhole(store: Store, path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    // What is wrong with the rest of a file is nothing to a reader of its head.
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
    // What may yet change within one tick of its clock could not be told from what it was.
    if (
      !file.isWhole ||
      file.length > this.#fileLimit ||
      (identity.version === undefined && !isFileSettled(identity, readAt))
    )
      return file
    const before = this.#kept.get(key)
    if (before !== undefined) this.#drop(key, before)
    // Of its own size, and outside of the pool, which would keep its neighbours.
    const bytes = Buffer.allocUnsafeSlow(file.length)
    file.bytes.copy(bytes, 0, 0, file.length)
    const kept: KeptFile = { content: { ...file, bytes }, identity, readAt }
    // One that is larger than all that may be kept would drive out everything and then itself.
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
