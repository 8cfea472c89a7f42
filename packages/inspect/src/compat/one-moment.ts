import { LocalStore } from '@skills/files'
import type { FileReads } from '@skills/files/internal'
import { SharedReading } from '@skills/skill-md/internal'
import { after } from '@skills/store/internal'
import { escapeProblem, type StoreAnswer, type ReadCall, type Store, type StoreFile } from '@skills/store'

/** Largest file in bytes that is kept; no skill is larger. */
const keptBytes = 1024 * 1024

/**
 * Store that shows the disk in the state of the first read. Several engines that read the same place in turn cause one
 * call of the system and all see the same state. Meant for short use, because everything that was read stays in memory.
 */
export class OneMoment implements FileReads {
  readonly shared = new SharedReading()
  readonly #disk: Store
  /** Files by real path; undefined for a missing one. */
  readonly #files = new Map<string, StoreFile | undefined>()
  readonly #store: Store
  readonly #keeps: 'files' | 'heads'
  /** True if the last file that was asked for had to be read. */
  #isReading = true

  /**
   * @param keeps `heads`: only as much of each file as was asked for, for users that hardly ever read a file to its
   *   end; asking for more reads it again. `files` (default): all of it.
   * @param disk store to read. Default: the disk of this machine
   */
  constructor(keeps: 'files' | 'heads' = 'files', disk: Store = new LocalStore()) {
    this.#keeps = keeps
    this.#disk = disk
    const isSlow = (): boolean => this.#isReading && disk.isSlow === true
    this.#store = {
      id: disk.id,
      // Files in memory are read no faster at the same time than one after the other.
      get isSlow() {
        return isSlow()
      },
      list: once((folder, call) => disk.list(folder, call)),
      stat: once((path, call) => disk.stat(path, call)),
      ...(disk.realPath && { realPath: once(disk.realPath.bind(disk)) }),
      read: (path, call) => this.#read(path, call),
    }
  }

  /** Store that is read. */
  get disk(): Store {
    return this.#disk
  }

  over(store: Store): Store {
    return store.id === 'disk' ? this.#store : store
  }

  /**
   * Returns the bytes of a file, at once if they were read before. Undefined if it is gone or larger than `maxBytes`.
   */
  bytes(path: string, maxBytes: number, signal: AbortSignal): StoreAnswer<Buffer | undefined> {
    return after(this.#at(path, path, { signal, maxBytes, realPath: path }), file =>
      file?.found === 'file' ? file.bytes.subarray(0, file.length) : undefined,
    )
  }

  #read(path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    const { within, realPath = path } = call
    if (within === undefined) return this.#at(path, realPath, call)
    return after(this.#store.realPath?.(path, call), (real = path) =>
      // The disk itself refuses a file that must not be read.
      within !== 'anywhere' && escapeProblem(path, real, within, () => false) !== undefined
        ? this.#disk.read(path, call)
        : this.#at(path, real, call),
    )
  }

  #at(path: string, realPath: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    const known = this.#files.get(realPath)
    this.#isReading = known === undefined ? !this.#files.has(realPath) : !suffices(known, call)
    if (this.#isReading) return after(this.#whole(path, call), file => this.#keep(realPath, file))
    return known?.found === 'file' && known.length > call.maxBytes ? { found: 'too-large', size: known.length } : known
  }

  /** Reads a whole file if it is small enough to be kept, because another reader may ask for more of it. */
  #whole(path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    // A problem in the rest of a file does not concern a reader of its head.
    const headAlone = (): StoreAnswer<StoreFile | undefined> => this.#disk.read(path, call)
    if (this.#keeps === 'heads') return headAlone()
    try {
      const answer = this.#disk.read(path, { ...call, wholeUpTo: keptBytes })
      return answer instanceof Promise ? answer.catch(headAlone) : answer
    } catch {
      return headAlone()
    }
  }

  #keep(realPath: string, file: StoreFile | undefined): StoreFile | undefined {
    if (file?.found === 'refused' || file?.found === 'too-large') return file
    if (file?.found === 'file' && !file.isWhole && this.#keeps === 'files') return file
    // The bytes are lent, so they are copied. The copy has its own size, and is not from the pool, which would keep its
    // neighbours in memory.
    const kept = file?.found === 'file' ? { ...file, bytes: copyOf(file.bytes, file.length) } : file
    if (kept?.found === 'file') this.shared.keep(kept.bytes)
    this.#files.set(realPath, kept)
    return kept
  }
}

/** Returns true if enough of a file is kept for this call. */
function suffices(known: StoreFile, { head = Infinity }: ReadCall): boolean {
  return known.found !== 'file' || known.isWhole || head <= known.length
}

function copyOf(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(length)
  bytes.copy(copy, 0, 0, length)
  return copy
}

/** Asks once for each path and then repeats the first answer. */
function once<T, Call>(
  ask: (path: string, call: Call) => StoreAnswer<T>,
): (path: string, call: Call) => StoreAnswer<T> {
  const known = new Map<string, { readonly answer: T }>()
  return (path, call) => {
    const before = known.get(path)
    if (before !== undefined) return before.answer
    return after(ask(path, call), answer => {
      known.set(path, { answer })
      return answer
    })
  }
}
