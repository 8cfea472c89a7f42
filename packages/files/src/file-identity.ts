import type { FileIdentity } from '@skills/core'
import { lstatSync, type Stats } from 'node:fs'

/** Parts of an identity that change with the file. */
type Stamps = Omit<FileIdentity, 'realPath'>

/** Makes the identity of a file from its stats. */
export function identityOf(
  realPath: string,
  { dev, ino, size, mtimeMs, ctimeMs }: Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>,
): FileIdentity {
  return { realPath, dev: compact(dev), ino: compact(ino), size: compact(size), mtimeMs, ctimeMs }
}

/** Identity whose size is known. The system is asked for the inode and the times when one of them is first read. */
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
    // A file that is gone has stamps that no existing file has.
    return (this.#stats ??= lstatSync(this.realPath, { throwIfNoEntry: false }) ?? nowhere)
  }
}

const nowhere: Stamps = { dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 }

/**
 * Returns an equal number. A small one is then stored inside its object, whereas each number from the system takes an
 * object of its own.
 */
export function compact(value: number): number {
  const small = value | 0
  return small === value ? small : value
}

/**
 * Returns true if a file has certainly not changed. A file that was read just after it was written may have changed
 * again within one tick of the file system's clock.
 */
export function isUnchanged(file: Stamps, now: Stamps, readAt: number): boolean {
  return isUnchangedIdentity(file, now) && (now.version !== undefined || isFileSettled(now, readAt))
}

/** Returns true if both identities belong to the same file or folder in the same state. */
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

/**
 * Returns true if both time stamps of a file were so old when it was read that any later change has moved them, see
 * {@link isSettled}.
 */
export function isFileSettled({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>, readAt: number): boolean {
  return isSettled(mtimeMs, readAt) && isSettled(ctimeMs, readAt)
}

/**
 * Returns true if a time stamp was so old at `readAt` that any later change has moved the stamp. The limit is longer
 * for stamps of whole seconds, which some file systems keep. Both values are in milliseconds since the epoch.
 */
export function isSettled(stampMs: number, readAt: number): boolean {
  // The remainder takes long to compute, so it is computed only for a recent stamp.
  const age = readAt - stampMs
  return age > 2000 || (age > 100 && stampMs % 1000 !== 0)
}
