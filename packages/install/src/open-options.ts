import * as s from '@skills/core/schema'
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

export const openOptions = s.options('openSource()', {
  host: s.typed<Pick<Host, 'env' | 'home' | 'platform'>>('an object').required(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted').required(),
  /** What the lock says of it: that commit, version or archive is opened, even where there is a newer one. */
  pinned: s.typed<Resolved>('a resolved'),
  onProgress: s.fn<(progress: Progress) => void>(),
  /** Milliseconds after which a source that sends next to nothing is given up. Default 30,000. */
  idleMs: s.number(),
})

export interface OpenOptions extends s.OptionsOf<typeof openOptions> {}

/** Bytes of an archive. */
export const largestArchive = 64 * 1024 * 1024

export const idleLimitMs = 30_000
