import * as s from '@skills/core/schema'
import type { Host } from '@skills/core'
import type { Resolved } from './resolution.js'

/** Progress of work that may take long. */
export interface Progress {
  /** Text without a full stop, such as `Fetching https://…`. */
  readonly what: string
  readonly done?: number | undefined
  /** Undefined if it is not known. */
  readonly total?: number | undefined
  /** Unit of `done` and `total`. */
  readonly unit?: 'bytes' | 'objects' | 'skills'
}

export const openOptions = s.options('openSource()', {
  host: s.typed<Pick<Host, 'env' | 'home' | 'platform'>>('an object').required(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Resolution from the lock: opens this commit, version or archive, even if there is a newer one. */
  pinned: s.typed<Resolved>('a resolved'),
  onProgress: s.fn<(progress: Progress) => void>(),
  /** Milliseconds after which a source that sends next to nothing is given up. Default: 30,000. */
  idleMs: s.number(),
})

export interface OpenOptions extends s.OptionsOf<typeof openOptions> {}

/** Options for opening a source once. Here the signal is always set. */
export interface Opening extends OpenOptions {
  readonly signal: AbortSignal
}

/** Most bytes of an archive. */
export const largestArchive = 64 * 1024 * 1024

export const idleLimitMs = 30_000
