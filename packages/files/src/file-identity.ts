import type { FileIdentity } from '@skills/core'
import { lstatSync, type Stats } from 'node:fs'

/** What tells a file from what it was. */
type Stamps = Omit<FileIdentity, 'realPath'>

/** A file at one moment, of the stamps that the system gave. */
export function identityOf(
  realPath: string,
  { dev, ino, size, mtimeMs, ctimeMs }: Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>,
): FileIdentity {
  return { realPath, dev: compact(dev), ino: compact(ino), size: compact(size), mtimeMs, ctimeMs }
}

/** One of which the system is asked for everything but the size when that is first read. */
export class IdentityOnUse implements FileIdentity {
  #stats: Stamps | undefined

  constructor(
    readonly realPath: string,
    readonly size: number,
  ) {}

  get dev(): number {
    return this.#asked.dev
  }

  get ino(): number {
    return this.#asked.ino
  }

  get mtimeMs(): number {
    return this.#asked.mtimeMs
  }

  get ctimeMs(): number {
    return this.#asked.ctimeMs
  }

  get #asked(): Stamps {
    // A file that is gone has the stamps of no file that is there.
    return (this.#stats ??= lstatSync(this.realPath, { throwIfNoEntry: false }) ?? nowhere)
  }
}

const nowhere: Stamps = { dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 }

/**
 * The same number, as a part of the object that it is stored in where it is a small one: what the system gives would be
 * an object each.
 */
export function compact(value: number): number {
  const small = value | 0
  return small === value ? small : value
}

/**
 * Whether a file is surely the one it was. A file written just before it was read may change again within one tick of
 * its clock.
 */
export function isUnchanged(file: Stamps, now: Stamps, readAt: number): boolean {
  return isUnchangedIdentity(file, now) && (now.version !== undefined || isFileSettled(now, readAt))
}

/** Whether both are of one file, or folder, in one state. */
export function isUnchangedIdentity(before: Stamps, now: Stamps): boolean {
  return (
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.ino === now.ino &&
    before.dev === now.dev &&
    before.size === now.size &&
    before.version === now.version
  )
}

/** Whether both stamps of a file were old enough when it was read. */
export function isFileSettled({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>, readAt: number): boolean {
  return isSettled(mtimeMs, readAt) && isSettled(ctimeMs, readAt)
}

/**
 * Whether a time stamp was old enough at `readAt` that a later change must have moved it.
 * File systems that keep whole seconds need longer. Both in milliseconds since the epoch.
 */
export function isSettled(stampMs: number, readAt: number): boolean {
  // Of an old one the remainder, which takes long, is not asked for.
  const age = readAt - stampMs
  return age > 2000 || (age > 100 && stampMs % 1000 !== 0)
}
