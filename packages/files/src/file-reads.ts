import { closeSync, constants, fstatSync, lstatSync, open, openSync, read, readSync, type Stats } from 'node:fs'
import type { ReadCall, StoreFile } from '@skills/store'
import { identityOf, IdentityOnUse } from './file-identity.js'
import { systemCode } from './problem.js'

// A FIFO opened without O_NONBLOCK would wait for a writer for ever.
export const plainFile = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
/**
 * Refusing links tells a linked file from a plain one without another call; where the platform cannot, it is looked at
 * first.
 */
const canRefuseLinks = constants.O_NOFOLLOW !== undefined
/** Bytes that are read of a file of which the size says nothing. */
const leastBytes = 4096
/** Bytes beyond which a file is asked for its size: few skills have as many, and more would take longer than asking. */
const unaskedBytes = 16 * 1024
const HYPHEN = 45

// One buffer serves every head that is read at once: thousands of them would be a good part of the work.
const shared = Buffer.allocUnsafeSlow(64 * 1024)

export interface FileRead extends Pick<ReadCall, 'head' | 'maxBytes' | 'realPath' | 'stats' | 'wholeUpTo'> {
  /** Asked of the file while it is open, before it is read: an answer ends the reading. */
  readonly onOpen?: (descriptor: number, stats: Stats) => StoreFile | undefined
}

/**
 * Reads a regular file from its first byte on. What comes of it is lent until the next call, see `StoreContent`. Throws
 * system errors.
 * @param isLikely whether a file is expected; a wrong guess costs one more system call
 */
export function readNow(path: string, call: FileRead, isLikely = true): StoreFile | undefined {
  let descriptor: number | undefined
  try {
    if (!isLikely || !canRefuseLinks) {
      const refusal = refusalOf(lstatSync(path, { throwIfNoEntry: false }), Infinity)
      if (refusal !== null) return refusal
    }
    descriptor = openSync(path, plainFile)
    const unasked = call.stats === 'on-use' ? readUnasked(descriptor, path, call) : undefined
    if (unasked !== undefined) return unasked
    const stats = fstatSync(descriptor)
    const refusal = refusalOf(stats, call.maxBytes) ?? call.onOpen?.(descriptor, stats)
    if (refusal !== undefined) return refusal
    const wanted = wantedOf(call, stats)
    let bytes: Buffer = wanted <= shared.length ? shared : Buffer.allocUnsafeSlow(wanted)
    let length = 0
    for (let end = wanted; ; end = bytes.length) {
      const count = readSync(descriptor, bytes, length, end - length, length)
      length += count
      // A short answer is the end of the file. A full one of all of it: it grew.
      if (length < end || call.head !== undefined || length > call.maxBytes) break
      if (length === bytes.length) bytes = grown(bytes)
    }
    return contentOf(path, call, stats, bytes, length)
  } catch (error) {
    return failureOf(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The same where there may be none, as beside a skill. */
export function readUnlikely(path: string, call: FileRead): StoreFile | undefined {
  return readNow(path, call, false)
}

/**
 * The same of a small file that begins as one with frontmatter does, without its stats: `open`, `read` and `close` are
 * all that the system is asked. Undefined of any other, which the caller asks what it is. A place is named, which
 * neither pipe nor socket nor terminal has: none of them gives a byte.
 */
function readUnasked(
  descriptor: number,
  path: string,
  { head = Infinity, maxBytes, realPath = path }: FileRead,
): StoreFile | undefined {
  let length: number
  try {
    length = readSync(descriptor, shared, 0, unaskedBytes, 0)
  } catch (error) {
    // What it is instead of a file tells why.
    if (systemCode(error) === undefined) throw error
    return undefined
  }
  // Without a byte the buffer holds those of the file before.
  if (length === 0 || length === unaskedBytes || length > maxBytes || shared[0] !== HYPHEN) return undefined
  return {
    found: 'file',
    bytes: shared,
    length: Math.min(length, head),
    isWhole: length <= head,
    stats: { kind: 'file', identity: new IdentityOnUse(realPath, length) },
  }
}

/**
 * The same with callbacks, for storage that makes one wait: many may be under way at once. An open file has its stats
 * at hand, and closing one that was not written waits for nothing; a callback for each of them would be half of the
 * work.
 */
export async function readLater(path: string, call: FileRead): Promise<StoreFile | undefined> {
  let descriptor: number | undefined
  try {
    if (!canRefuseLinks && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      return { found: 'link' }
    descriptor = await opened(path)
    const stats = fstatSync(descriptor)
    const refusal = refusalOf(stats, call.maxBytes) ?? call.onOpen?.(descriptor, stats)
    if (refusal !== undefined) return refusal
    const wanted = wantedOf(call, stats)
    let bytes: Buffer = Buffer.allocUnsafeSlow(wanted)
    let length = 0
    for (;;) {
      length += await readInto(descriptor, bytes, length)
      if (length < bytes.length || call.head !== undefined || length > call.maxBytes) break
      bytes = grown(bytes)
    }
    return contentOf(path, call, stats, bytes, length)
  } catch (error) {
    return failureOf(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

// Without the objects of `node:fs/promises`, which take longer than opening and reading a small file.
function opened(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, plainFile, (error, descriptor) => (error === null ? resolve(descriptor) : reject(error)))
  })
}

/** Fills a buffer from an offset on, which is the file's too; gives how many bytes came. */
function readInto(descriptor: number, bytes: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, bytes, from, bytes.length - from, from, (error, count) =>
      error === null ? resolve(count) : reject(error),
    )
  })
}

/** Bytes that a file is asked for: one more than it has, which tells whether it grew. */
function wantedOf({ head = Infinity, wholeUpTo = 0, maxBytes }: FileRead, { size }: Stats): number {
  const whole = Math.max(Math.min(size, maxBytes) + 1, leastBytes)
  return size <= wholeUpTo ? whole : Math.min(head, whole)
}

function grown(bytes: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes.length * 2)
  bytes.copy(larger)
  return larger
}

function contentOf(
  path: string,
  { head = Infinity, maxBytes, realPath = path }: FileRead,
  stats: Stats,
  bytes: Buffer,
  length: number,
): StoreFile {
  if (length > maxBytes) return { found: 'too-large', size: length }
  const isWhole = length < head || length >= stats.size
  return {
    found: 'file',
    bytes,
    length,
    isWhole,
    stats: { kind: 'file', identity: identityOf(realPath, stats), uid: stats.uid, gid: stats.gid, mode: stats.mode },
  }
}

/** Why what these stats are of is not read; null where nothing speaks against it, undefined where nothing is there. */
function refusalOf(stats: Stats | undefined, maxBytes: number): StoreFile | undefined | null {
  if (stats === undefined) return undefined
  // The mode says what `isFile()` does; asked of every file, the way that takes is a part of the work.
  const kind = stats.mode & constants.S_IFMT
  if (kind === constants.S_IFLNK) return { found: 'link' }
  if (kind !== constants.S_IFREG) return { found: 'other', what: kindOf(stats) }
  return stats.size > maxBytes ? { found: 'too-large', size: stats.size } : null
}

/** What a failed call says of what stands there. Throws all others again. */
function failureOf(error: unknown): StoreFile | undefined {
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return undefined
    case 'ELOOP':
    case 'EMLINK':
      return { found: 'link' }
    case 'ENXIO':
      return { found: 'other', what: 'a socket' }
    default:
      throw error
  }
}

/** What is no regular file, as it stands in a sentence. */
export function kindOf(stats: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isFile'>): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isFile() ? 'a file' : 'a device'
}
