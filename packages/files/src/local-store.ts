import * as s from '@skills/core/schema'
import { constants, lstatSync, opendirSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError } from '@skills/core'
import type { StoreAnswer, ReadCall, Store, StoreCall, StoreFile, StoreFolder, StoreStats } from '@skills/store'
import { identityOf } from './file-identity.js'
import { readContained } from './contained-read.js'
import { kindOf, readLater, readNow, readUnlikely } from './file-reads.js'
import { realPathOf } from './real-path.js'
import { systemCode } from './problem.js'

const localStoreOptions = s.options('new LocalStore()', {
  /**
   * `auto` (default): reads at once while the page cache answers, and with callbacks for a while once reads prove slow.
   * `callbacks`: never reads at once, for storage that is known to make the process wait.
   */
  reads: s.oneOf('auto', 'callbacks'),
})

export interface LocalStoreOptions extends s.OptionsOf<typeof localStoreOptions> {}

/** Milliseconds that opening and reading a file in the page cache hardly ever takes. */
const slowMs = 0.05
/**
 * Slow files in a row after which the storage counts as slow. On a busy machine several are slow, while the process
 * waits for its turn or its code is new, but not as many. From a cold disk they take a few milliseconds together.
 */
const mostSlow = 64
/** Files that are then read with callbacks before reading at once is tried again. */
const callbackReads = 2048

/** Bytes of a folder itself above which it holds thousands of entries. Listing it at once would block the process. */
const largeFolder = 128 * 1024
/**
 * Entries of a very large folder that are handled in one go, before the rest of the process gets a turn: one or two
 * milliseconds' worth.
 */
const batch = 1024
/** Entries that the system is asked for at a time. */
const bufferSize = 256

const noThrow = { throwIfNoEntry: false } as const

/**
 * Reads the disk of this machine. A file in the page cache is read synchronously, because callbacks would take five
 * times as long.
 */
export class LocalStore implements Store {
  readonly id = 'disk'
  readonly #hasCallbacks: boolean
  #callbacksLeft = 0
  /** Slow files in a row. */
  #slow = 0
  /** True if the last file existed, so that the next one probably does. */
  #isLikely = true

  constructor(given?: LocalStoreOptions) {
    const options = localStoreOptions.read(given)
    this.#hasCallbacks = options.reads === 'callbacks'
  }

  get isSlow(): boolean {
    return this.#hasCallbacks || this.#callbacksLeft > 0
  }

  read(path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    if (call.signal.aborted) throw abortError(call.signal)
    const contained =
      call.within === undefined
        ? undefined
        : { within: call.within === 'anywhere' ? undefined : call.within, maxBytes: call.maxBytes }
    if (this.isSlow) {
      this.#callbacksLeft--
      return contained === undefined ? readLater(path, call) : readContained(path, contained, readLater)
    }
    const begun = performance.now()
    const file =
      contained === undefined ? readNow(path, call, this.#isLikely) : readContained(path, contained, readUnlikely)
    if (contained === undefined) this.#isLikely = file?.found === 'file'
    this.#slow = performance.now() - begun > slowMs ? this.#slow + 1 : 0
    if (this.#slow === mostSlow) {
      this.#callbacksLeft = callbackReads
      this.#slow = 0
    }
    return file
  }

  stat(path: string, { signal }: StoreCall): StoreStats | undefined {
    if (signal.aborted) throw abortError(signal)
    let stats
    try {
      stats = lstatSync(path, noThrow)
    } catch (error) {
      return absent(error)
    }
    if (stats === undefined) return undefined
    const { mode, uid, gid } = stats
    const kind = kindOfMode(mode)
    return {
      kind,
      what: kind === 'other' ? kindOf(stats) : undefined,
      identity: identityOf(path, stats),
      uid,
      gid,
      mode,
    }
  }

  realPath(path: string, { signal }: StoreCall): string | undefined {
    if (signal.aborted) throw abortError(signal)
    return realPathOf(path)
  }

  list(folder: string, { signal }: StoreCall): StoreAnswer<StoreFolder | undefined> {
    if (signal.aborted) throw abortError(signal)
    const stats = orNothing(() => statSync(folder, noThrow))
    if (stats === undefined) return undefined
    const found = new Entries(folder, stats)
    if (stats.size > largeFolder) return listInTurns(folder, found)
    return orNothing(() => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) found.add(entry)
      return found
    })
  }
}

async function listInTurns(path: string, found: Entries): Promise<StoreFolder> {
  // The work before, perhaps a whole set-up, took its own slice of time.
  await turn()
  const folder = opendirSync(path, { bufferSize })
  try {
    let count = 0
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      found.add(entry)
      if (++count % batch === 0) await turn()
    }
  } finally {
    folder.closeSync()
  }
  // Sorting so many entries takes a slice of its own.
  await turn()
  return found
}

function kindOfMode(mode: number): StoreStats['kind'] {
  switch (mode & constants.S_IFMT) {
    case constants.S_IFREG:
      return 'file'
    case constants.S_IFDIR:
      return 'folder'
    case constants.S_IFLNK:
      return 'link'
    default:
      return 'other'
  }
}

class Entries implements StoreFolder {
  readonly folders: string[] = []
  readonly files: string[] = []
  readonly links: string[] = []
  readonly others: { readonly name: string; readonly what: string }[] = []
  readonly identity
  readonly #path: string

  constructor(path: string, stats: Stats) {
    this.#path = path
    this.identity = identityOf(path, stats)
  }

  add(entry: Dirent): void {
    const { name } = entry
    if (entry.isDirectory()) this.folders.push(name)
    else if (entry.isFile()) this.files.push(name)
    else if (entry.isSymbolicLink()) this.links.push(name)
    // Some file systems do not tell the type of an entry.
    else if (statSync(`${this.#path}/${name}`, noThrow)?.isDirectory() === true) this.folders.push(name)
    else this.others.push({ name, what: entry.isFIFO() ? 'a named pipe' : entry.isSocket() ? 'a socket' : 'a device' })
  }
}

function orNothing<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    return absent(error)
  }
}

/** Returns undefined for an error that says only that nothing is there, and throws any other. */
function absent(error: unknown): undefined {
  if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
  throw error
}
