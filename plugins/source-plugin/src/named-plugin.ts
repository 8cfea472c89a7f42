import type { JsonFile, KeyPath } from '@skills/files/internal'
import type { NamedBy, PluginConfig } from './plugin-options.js'

/** A plugin that the options name, before anything of it is read. */
export interface NamedPlugin {
  /** Its folder, absolute, forward slashes. */
  readonly path: string
  readonly from: NamedBy
  /** Why it is off: a sentence. Undefined when it is on. */
  readonly off?: string | undefined
  readonly config: PluginConfig
  /** The package it was named as. */
  readonly packageName?: string | undefined
  /** What a marketplace says of it. */
  readonly entry?: MarketplaceEntry | undefined
}

export interface MarketplaceEntry extends JsonFile {
  readonly name: string
  /** Whether it stands for the manifest even where there is one. */
  readonly isManifest: boolean
  /** Its place in the file, as `plugins[3].`. */
  readonly prefix: string
  /** The same as a way. */
  readonly ways: readonly KeyPath[]
}
