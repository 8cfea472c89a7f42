import type { JsonFile, KeyPath } from '@skills/files/internal'
import type { NamedBy, PluginConfig } from './plugin-options.js'

/** Plugin that the options name, before any of its files is read. */
export interface NamedPlugin {
  /** Absolute path of its folder, with forward slashes. */
  readonly path: string
  readonly from: NamedBy
  /** Reason why it is off, as a sentence. Undefined if it is on. */
  readonly off?: string | undefined
  readonly config: PluginConfig
  /** Names of its servers that may be used. */
  readonly servers?: readonly string[] | undefined
  /** Text of its files that a person agreed to. */
  readonly agreedTo?: string | undefined
  /** Name of the package by which it was given. */
  readonly packageName?: string | undefined
  /** Entry of a marketplace. */
  readonly entry?: MarketplaceEntry | undefined
  /** Folder that its real path has to lie in. Default: it may be anywhere. */
  readonly within?: string | undefined
  readonly installed?: InstalledAs | undefined
}

export interface MarketplaceEntry extends JsonFile {
  readonly name: string
  /** True if it replaces the manifest even if there is one. */
  readonly isManifest: boolean
  /** Its place in the file, such as `plugins[3].`. */
  readonly prefix: string
  /** The same place as paths of keys. */
  readonly ways: readonly KeyPath[]
}

/** Record of an installation by Claude Code. */
export interface InstalledAs {
  /** Its name and its marketplace: `acme@market`. */
  readonly id: string
  readonly name: string
  /** Settings file that switches it on. */
  readonly settings: string
}
