import type { Store } from '@skills/store'

/** What stands at a path: a file's text or bytes, or where a link leads, as `ln -s` takes it. */
export type StoreSample = string | Uint8Array | { readonly link: string }

/** Samples by path below the root, forward slashes. */
export type StoreSamples = Readonly<Record<string, StoreSample>>

export interface StoreFixture {
  readonly store: Store
  /** What stands before the path of every sample, as the store names it: `memory:`. */
  readonly root: string
  /**
   * Puts samples in place of those that are there, and removes those that are undefined. What follows asks `changes()`
   * first, where the store has it.
   */
  change?(samples: Readonly<Record<string, StoreSample | undefined>>): void | PromiseLike<void>
  /** How often the place itself was asked so far: requests, reads of files. */
  readonly asked?: () => number
  /** How much the store holds open now: processes, files, connections. */
  readonly held?: () => number
  /** Cleans up once a rule is checked; the store is closed by then. */
  dispose?(): void | PromiseLike<void>
}

export interface MakeStoreOptions {
  /** Bytes that the index of the place is to give for a file, in place of its own. */
  readonly sizes?: Readonly<Record<string, number>>
}

/** Makes a place with these samples and a store over it; called anew for each rule. */
export type MakeStore = (samples: StoreSamples, options?: MakeStoreOptions) => StoreFixture | PromiseLike<StoreFixture>

/** What a store may do without. */
export type StoreLack =
  | 'asked'
  | 'backslash'
  | 'change'
  | 'changes'
  | 'contained'
  | 'held'
  | 'hostileNames'
  | 'links'
  | 'newline'
  | 'sizes'
  | 'watch'
