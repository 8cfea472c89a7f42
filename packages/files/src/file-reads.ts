import { closeSync, constants, fstatSync, lstatSync, open, openSync, read, readSync, type Stats } from 'node:fs'
import type { ReadCall, StoreFile } from '@skills/store'
import { identityOf, IdentityOnUse } from './file-identity.js'
import { systemCode } from './problem.js'

// Opening a FIFO without O_NONBLOCK would wait for a writer forever.
export const plainFile = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
/**
 * True if opening can refuse links, which tells a link from a file without another call. Elsewhere the file is looked
 * at first.
 */
const canRefuseLinks = constants.O_NOFOLLOW !== undefined
/** Bytes that are read of a file whose size is unknown. */
const leastBytes = 4096
/**
 * Bytes up to which a file is read without asking for its size. Few skills have more, and reading more takes longer
 * than asking.
 */
const unaskedBytes = 16 * 1024
const HYPHEN = 45

// One buffer serves every head that is read at once. Allocating thousands of them would take a good part of the time.
const shared = Buffer.allocUnsafeSlow(64 * 1024)

export interface FileRead extends Pick<ReadCall, 'head' | 'maxBytes' | 'realPath' | 'stats' | 'wholeUpTo'> {
  /** Called with the open file before it is read. A result ends the reading and becomes the answer. */
  readonly onOpen?: (descriptor: number, stats: Stats) => StoreFile | undefined
}

/**
 * Reads a regular file from its first byte on. The bytes are valid only until the next call, see `StoreContent`. Throws
 * system errors.
 * @param isLikely true if a file is expected; a wrong guess costs one more system call
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
      // A short answer is the end of the file. If the whole file was expected and the buffer is full, the file has
      // grown.
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

/** Reads a file that is probably missing, such as one beside a skill. */
export function readUnlikely(path: string, call: FileRead): StoreFile | undefined {
  return readNow(path, call, false)
}

/**
 * Reads a small file that begins with frontmatter by `open`, `read` and `close` alone, without its stats. Returns
 * undefined for any other file, whose stats the caller then asks for. Reads from a position, which pipes, sockets and
 * terminals do not have: none of them loses a byte.
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
    // The stats that the caller asks for next explain the failure.
    if (systemCode(error) === undefined) throw error
    return undefined
  }
  // After reading no byte, the buffer still holds the file before.
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
 * Reads a file with callbacks, for storage that makes the process wait: many reads can run at once. The stats of the
 * open file are read and the file is closed without callbacks, because neither has to wait; callbacks for them would
 * double the work.
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

// The objects of `node:fs/promises` take longer than opening and reading a small file.
function opened(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, plainFile, (error, descriptor) => (error === null ? resolve(descriptor) : reject(error)))
  })
}

/**
 * Fills a buffer from an offset on, with the bytes at the same offset of the file. Returns the number of bytes read.
 */
function readInto(descriptor: number, bytes: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, bytes, from, bytes.length - from, from, (error, count) =>
      error === null ? resolve(count) : reject(error),
    )
  })
}

/** Returns the number of bytes to ask for: one more than the file has, which shows whether it grew. */
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

/**
 * Returns why a file with these stats is not read. Returns null if it may be read, and undefined if nothing is there.
 */
function refusalOf(stats: Stats | undefined, maxBytes: number): StoreFile | undefined | null {
  if (stats === undefined) return undefined
  // Reads the mode instead of calling `isFile()`, which would be a noticeable part of the work for every file.
  const kind = stats.mode & constants.S_IFMT
  if (kind === constants.S_IFLNK) return { found: 'link' }
  if (kind !== constants.S_IFREG) return { found: 'other', what: kindOf(stats) }
  return stats.size > maxBytes ? { found: 'too-large', size: stats.size } : null
}

/** Turns the error of a failed call into an answer about the path. Throws any other error again. */
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

/** Returns a noun phrase for anything but a regular file, such as `a folder`. */
export function kindOf(stats: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isFile'>): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isFile() ? 'a file' : 'a device'
}
