import { close, closeSync, constants, fstat, fstatSync, lstatSync, open, read, readSync, type Stats } from 'node:fs'
import { lstatOf } from './real-path.js'
import { openPlain, plainFile, type Opener } from './opener.js'
import { systemCode } from './problem.js'

/** What stands at the path a skill file would have. */
export type Probe =
  | { readonly found: 'file' }
  | { readonly found: 'nothing' }
  | { readonly found: 'link' }
  | { readonly found: 'other'; readonly kind: string }
  | { readonly found: 'too-large'; readonly size: number }
  | { readonly found: 'error'; readonly error: unknown }

/** The first bytes of a file. All of it is lent for the call: copy what must outlive it. */
export interface Head {
  readonly bytes: Buffer
  readonly length: number
  /** Whether these bytes are all of the file. */
  readonly isWhole: boolean
  /** Whether another read them before, so that the file was not opened for these. */
  readonly isShared: boolean
  /** Of the file while it is open for this call; undefined when it was not opened for these. */
  readonly descriptor: number | undefined
  readonly stats: Stats
}

/** Takes the head of what `target` stands for; true asks for more of the file, and is called again with a longer head. */
export type TakeHead<Target> = (head: Head, target: Target, path: string) => boolean

/** The folder in which a file is looked for, or that file itself. */
export interface Place {
  /** As reached. */
  readonly path: string
  readonly realPath: string
}

/** How files are read: each for itself, or once for several who ask. */
export interface FileReads {
  probeSync<Target extends Place | undefined>(path: string, isLikely: boolean, maxBytes: number, take: TakeHead<Target>, target: Target): Probe
  probeSlowly<Target extends Place | undefined>(path: string, maxBytes: number, take: TakeHead<Target>, target: Target, opener?: Opener): Promise<Probe>
}

export const file: Probe = Object.freeze({ found: 'file' })
const nothing: Probe = Object.freeze({ found: 'nothing' })
const link: Probe = Object.freeze({ found: 'link' })

/** Bytes of the first head. */
export const headBytes = 4096
/** Refusing links tells a linked file from a plain one without another call; where the platform cannot, it is looked at first. */
const canRefuseLinks = constants.O_NOFOLLOW !== undefined

// One buffer and one head serve every synchronous read: thousands of each would be the larger part of the work.
const shared = Buffer.allocUnsafeSlow(headBytes)
const lent: { -readonly [Key in Exclude<keyof Head, 'stats'>]: Head[Key] } & { stats: Stats | undefined } = {
  bytes: shared, length: 0, isWhole: false, isShared: false, descriptor: undefined, stats: undefined,
}

/**
 * Reads the head of `path` if a regular file is there. Does not follow a link: the caller decides where it may lead.
 * @param isLikely whether a file is expected; a wrong guess costs one more system call
 */
export function probeSync<Target>(path: string, isLikely: boolean, maxBytes: number, take: TakeHead<Target>, target: Target): Probe {
  let fd: number | undefined
  try {
    if (!isLikely || !canRefuseLinks) {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (stats === undefined) return nothing
      if (stats.isSymbolicLink()) return link
      if (!stats.isFile()) return { found: 'other', kind: kindOf(stats) }
    }
    fd = openPlain(path)
    const stats = fstatSync(fd)
    const refusal = refuse(stats, maxBytes)
    if (refusal !== undefined) return refusal
    let bytes: Buffer = shared
    lent.descriptor = fd
    let length = readSync(fd, bytes, 0, headBytes, 0)
    while (length <= maxBytes && takeLent(take, target, path, bytes, length, length < bytes.length || length >= stats.size, stats)) {
      bytes = grow(bytes, stats.size)
      const more = readSync(fd, bytes, length, bytes.length - length, length)
      if (more === 0) {
        takeLent(take, target, path, bytes, length, true, stats)
        break
      }
      length += more
    }
    // It grew while it was read.
    return length > maxBytes ? { found: 'too-large', size: length } : file
  } catch (error) {
    return failure(error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function takeLent<Target>(take: TakeHead<Target>, target: Target, path: string, bytes: Buffer, length: number, isWhole: boolean, stats: Stats): boolean {
  lent.bytes = bytes
  lent.length = length
  lent.isWhole = isWhole
  lent.stats = stats
  return take(lent as Head, target, path)
}

/**
 * The same with callbacks, for storage that makes one wait: many may be under way at once.
 * @param opener opens at once what it can. Default: nothing is opened at once
 */
export function probeSlowly<Target>(path: string, maxBytes: number, take: TakeHead<Target>, target: Target, opener?: Opener): Promise<Probe> {
  if (!canRefuseLinks && lstatOf(path)?.isSymbolicLink() === true) return Promise.resolve(link)
  return new Promise(resolve => {
    if (opener?.takesNext() === true) return openAtOnce(opener)
    open(path, plainFile, (notOpened, fd) => {
      if (notOpened !== null) return resolve(failure(notOpened))
      const end = (probe: Probe): void => close(fd, failed => resolve(failed === null || failed === undefined ? probe : failure(failed)))
      fstat(fd, (notKnown, stats) => notKnown === null ? readFrom(fd, stats, end) : end(failure(notKnown)))
    })

    function openAtOnce(by: Opener): void {
      let fd: number | undefined
      const end = (probe: Probe): void => resolve(fd === undefined ? probe : closed(fd, probe))
      try {
        fd = by.open(path)
        readFrom(fd, fstatSync(fd), end)
      } catch (error) {
        end(failure(error))
      }
    }

    function readFrom(fd: number, stats: Stats, end: (probe: Probe) => void): void {
      const refusal = refuse(stats, maxBytes)
      if (refusal !== undefined) return end(refusal)
      readOn(spare.pop() ?? Buffer.allocUnsafeSlow(headBytes), 0)

      function readOn(bytes: Buffer, from: number): void {
        read(fd, bytes, from, bytes.length - from, from, (notRead, count) => {
          if (notRead !== null) return end(failure(notRead))
          const length = from + count
          // It grew while it was read.
          if (length > maxBytes) return end({ found: 'too-large', size: length })
          try {
            const isWhole = count === 0 || length < bytes.length || length >= stats.size
            const wantsMore = take({ bytes, length, isWhole, isShared: false, descriptor: fd, stats }, target, path)
            if (!wantsMore || count === 0) {
              if (bytes.length === headBytes && spare.length < mostSpare) spare.push(bytes)
              return end(file)
            }
          } catch (thrown) {
            return end({ found: 'error', error: thrown })
          }
          readOn(grow(bytes, stats.size), length)
        })
      }
    }
  })
}

/** Closes a file, and gives what was found, or why it could not be closed: nobody could catch that where a callback ends a reading. */
function closed(fd: number, probe: Probe): Probe {
  try {
    closeSync(fd)
    return probe
  } catch (error) {
    return failure(error)
  }
}

/** Buffers that no reading needs any more. */
const spare: Buffer[] = []
const mostSpare = 16

export const unsharedReads: FileReads = { probeSync, probeSlowly }

function grow(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(longerHead(bytes.length, size))
  bytes.copy(larger)
  return larger
}

/** Bytes of the head that comes after one of `length`, of a file of `size`. */
export function longerHead(length: number, size: number): number {
  return Math.max(length * 4, Math.min(size + 1, length * 16))
}

/** Why a file of these stats is not read; undefined when it is. */
export function refuse(stats: Stats, maxBytes: number): Probe | undefined {
  // The mode says what `isFile()` does; asked of every file, the way that takes is a part of the work.
  if ((stats.mode & constants.S_IFMT) !== constants.S_IFREG) return { found: 'other', kind: kindOf(stats) }
  if (stats.size > maxBytes) return { found: 'too-large', size: stats.size }
  return undefined
}

/** What an error on the way says of what stands there. */
export function failure(error: unknown): Probe {
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR': return nothing
    case 'ELOOP':
    case 'EMLINK': return link
    case 'ENXIO': return { found: 'other', kind: 'a socket' }
    default: return { found: 'error', error }
  }
}

/** What is no regular file, as it stands in a sentence. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isFile() ? 'a file' : 'a device'
}
