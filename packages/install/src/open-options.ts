import type { Host } from '@skills/core'
import type { Resolved } from './resolution.js'

/** How far something is that may take long. */
export interface Progress {
  /** Without a full stop: `Fetching https://…`. */
  readonly what: string
  readonly done?: number | undefined
  /** Undefined where it is not known. */
  readonly total?: number | undefined
  /** What `done` and `total` count. */
  readonly unit?: 'bytes' | 'objects' | 'skills'
}

export interface OpenOptions {
  readonly host: Pick<Host, 'env' | 'home' | 'platform'>
  readonly signal: AbortSignal
  /** What the lock says of it: that commit, version or archive is opened, even where there is a newer one. */
  readonly pinned?: Resolved | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Milliseconds after which a source that sends next to nothing is given up. Default 30,000. */
  readonly idleMs?: number | undefined
}

/** Bytes of an archive. */
export const largestArchive = 64 * 1024 * 1024

export const idleLimitMs = 30_000
