import { checkOptions, systemClock, type FileIdentity } from '@skills/core'
import type { Stats } from 'node:fs'
import { failure, file, headBytes, longerHead, probeSlowly, probeSync, refuse, type FileReads, type Head, type Place, type Probe, type TakeHead } from './probe.js'
import type { Opener } from './opener.js'
import { identityOf, isFileSettled, isUnchanged } from './file-identity.js'
import { isInside, lstatOf } from './real-path.js'

export interface SharedReadsOptions {
  /** Bytes that are kept at most; what was read longest ago goes first. Default 64 MiB. */
  readonly bytes?: number | undefined
  /** Bytes of the largest file that is shared; of a larger one everybody reads as much as is needed. Default 96 KiB. */
  readonly fileBytes?: number | undefined
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

/** What a file takes in memory besides its bytes, about. */
const recordBytes = 512

interface KeptFile {
  readonly identity: FileIdentity
  /** When reading it began; milliseconds since the epoch. */
  readonly readAt: number
  /** All of the file. */
  readonly bytes: Buffer
}

/**
 * What several engines of one process have read of their files, so that each file is read once: a file that is as it was is
 * answered from memory. Bytes are shared and nothing that is made of them. See docs/reference.md, "Shared reads".
 *
 *     const sharedReads = new SharedReads()
 *     const engines = [standard({ sharedReads }), opencode({ sharedReads })].map(createSkills)
 */
export class SharedReads implements FileReads {
  readonly #limit: number
  readonly #fileLimit: number
  readonly #now: () => number
  /** By real path, in the order of reading. */
  readonly #kept = new Map<string, KeptFile>()
  /** Files that are being read with callbacks. */
  readonly #underWay = new Map<string, Promise<Probe>>()
  #bytesKept = 0
  #filesRead = 0
  #filesShared = 0

  constructor(options: SharedReadsOptions = {}) {
    checkOptions<SharedReadsOptions>('new SharedReads()', options, { bytes: 1, fileBytes: 1, now: 1 })
    const { bytes = 64 * 1024 * 1024, fileBytes = 96 * 1024, now = systemClock.now } = options
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

  /** For what reads files: as the function of this name, which does it for one alone. */
  probeSync<Target extends Place | undefined>(path: string, isLikely: boolean, maxBytes: number, take: TakeHead<Target>, target: Target): Probe {
    const realPath = realPathOf(path, target)
    const known = this.#answer(realPath, path, maxBytes, take, target)
    if (known !== undefined) return known
    const reading = new WholeReading(take, this.#fileLimit, this.#now())
    const probe = probeSync(path, isLikely, maxBytes, reading.take, target)
    this.#keep(realPath, reading)
    return reading.outcome(probe)
  }

  /** For what reads files: as the function of this name, which does it for one alone. */
  async probeSlowly<Target extends Place | undefined>(path: string, maxBytes: number, take: TakeHead<Target>, target: Target, opener?: Opener): Promise<Probe> {
    const realPath = realPathOf(path, target)
    for (let other = this.#underWay.get(realPath); other !== undefined; other = this.#underWay.get(realPath)) await other
    const known = this.#answer(realPath, path, maxBytes, take, target)
    if (known !== undefined) return known
    const reading = new WholeReading(take, this.#fileLimit, this.#now())
    const outcome = probeSlowly(path, maxBytes, reading.take, target, opener).then(probe => {
      this.#underWay.delete(realPath)
      this.#keep(realPath, reading)
      return reading.outcome(probe)
    })
    this.#underWay.set(realPath, outcome)
    return outcome
  }

  /** What stands at a path, of a file that is kept and as it was; undefined when it has to be read. */
  #answer<Target>(realPath: string, path: string, maxBytes: number, take: TakeHead<Target>, target: Target): Probe | undefined {
    const kept = this.#kept.get(realPath)
    if (kept === undefined) return undefined
    const stats = lstatOf(realPath)
    if (stats === undefined || !isUnchanged(kept.identity, stats, kept.readAt)) {
      this.#drop(realPath, kept)
      return undefined
    }
    const refusal = refuse(stats, maxBytes)
    if (refusal !== undefined) return refusal
    try {
      lend(kept.bytes, stats, take, target, path)
    } catch (error) {
      return failure(error)
    }
    this.#filesShared++
    return file
  }

  #keep<Target>(realPath: string, { stats, bytes, readAt }: WholeReading<Target>): void {
    if (stats === undefined) return
    this.#filesRead++
    // What may yet change within one tick of its clock could not be told from what it was.
    if (bytes === undefined || !isFileSettled(stats, readAt)) return
    const before = this.#kept.get(realPath)
    if (before !== undefined) this.#drop(realPath, before)
    const kept: KeptFile = { identity: identityOf(realPath, stats), readAt, bytes }
    // One that is larger than all that may be kept would drive out everything and then itself.
    if (sizeOf(kept) > this.#limit) return
    this.#kept.set(realPath, kept)
    this.#bytesKept += sizeOf(kept)
    for (const [oldest, one] of this.#kept) {
      if (this.#bytesKept <= this.#limit) break
      this.#drop(oldest, one)
    }
  }

  #drop(realPath: string, kept: KeptFile): void {
    this.#kept.delete(realPath)
    this.#bytesKept -= sizeOf(kept)
  }
}

/** One reading of a file to its end, although its walk may ask for less: whoever comes next may ask for more. */
class WholeReading<Target> {
  readonly readAt: number
  stats: Stats | undefined
  /** Undefined before all is read, when reading failed, and of a file that is too large to be shared. */
  bytes: Buffer | undefined
  readonly #take: TakeHead<Target>
  readonly #limit: number
  #wantsMore = true

  constructor(take: TakeHead<Target>, limit: number, readAt: number) {
    this.#take = take
    this.#limit = limit
    this.readAt = readAt
  }

  readonly take = (head: Head, target: Target, path: string): boolean => {
    const { bytes, length, isWhole, stats } = head
    this.stats = stats
    this.#wantsMore &&= this.#take(head, target, path)
    if (stats.size > this.#limit) return this.#wantsMore
    if (!isWhole) return true
    // Of its own size, and outside of the pool, which would keep its neighbours.
    this.bytes = Buffer.allocUnsafeSlow(length)
    bytes.copy(this.bytes, 0, 0, length)
    return false
  }

  /** What the walk is told: a file of which it has all that it wanted is sound to it, whatever the rest of it is. */
  outcome(probe: Probe): Probe {
    return this.#wantsMore || probe.found !== 'error' ? probe : file
  }
}

/** Hands on a file in the steps in which reading it would, so that what is made of it is the same. */
function lend<Target>(bytes: Buffer, stats: Stats, take: TakeHead<Target>, target: Target, path: string): void {
  for (let step = headBytes; ; step = longerHead(step, stats.size)) {
    const length = Math.min(step, bytes.length)
    const isWhole = length < step || length >= stats.size
    const wantsMore = take({ bytes: isWhole ? bytes : bytes.subarray(0, length), length, isWhole, isShared: true, descriptor: undefined, stats }, target, path)
    if (!wantsMore || isWhole) return
  }
}

/** The real path of what was reached in a place, by which those meet who reach it in different ways. */
function realPathOf(path: string, place: Place | undefined): string {
  // What a link in the place leads to is a real path already.
  if (place === undefined || place.path === place.realPath || !isInside(path, place.path)) return path
  return place.realPath + path.slice(place.path.length)
}

function sizeOf({ bytes }: KeptFile): number {
  return bytes.length + recordBytes
}
