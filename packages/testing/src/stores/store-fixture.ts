import type { Store } from '@skills/store'

/** Entry at a path: the text or bytes of a file, or the target of a link, as `ln -s` takes it. */
export type StoreSample = string | Uint8Array | { readonly link: string }

/** Samples by path below the root, with forward slashes. */
export type StoreSamples = Readonly<Record<string, StoreSample>>

export interface StoreFixture {
  readonly store: Store
  /** Prefix of the path of every sample, as the store names it, such as `memory:`. */
  readonly root: string
  /**
   * Replaces samples, and removes those that are undefined. If the store has `changes()`, the suite calls it before it
   * reads again.
   */
  change?(samples: Readonly<Record<string, StoreSample | undefined>>): void | PromiseLike<void>
  /** Returns how often the place itself was asked so far, such as requests or reads of files. */
  readonly asked?: () => number
  /** Returns how many processes, files and connections the store holds open. */
  readonly held?: () => number
  /** Cleans up after a rule, when the store is closed. */
  dispose?(): void | PromiseLike<void>
}

export interface MakeStoreOptions {
  /** Sizes in bytes that the index of the place states, in place of the real ones. */
  readonly sizes?: Readonly<Record<string, number>>
}

/** Makes a place with these samples and a store over this place. Called once for each rule. */
export type MakeStore = (samples: StoreSamples, options?: MakeStoreOptions) => StoreFixture | PromiseLike<StoreFixture>

/** Abilities that a store may lack. */
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
