import type { Override, Plugin } from '@skills/core'
import type { AnyListing } from '@skills/formatter-budget'
import type { DistributionName } from './distribution-named.js'

/**
 * What a configuration file may say: the default export of a `skills.config.mjs`, or what it returns, and the object in
 * a `skills.config.json`. Paths, and packages, are looked for from the folder of the file. See
 * docs/reference/distributions.md, "Configuration".
 */
export interface ConfigurationData {
  /** Whose rules hold: a name, the path of a module, or an installed package. Default: `standard`. */
  readonly distribution?: DistributionName | (string & {}) | undefined
  /**
   * Agents that the skills are meant for, by the names of distributions: `skills compat` fails where one of them loses
   * a skill. Counts before a folder is trusted too, since it decides nothing else.
   */
  readonly agents?: readonly string[] | undefined
  /** What becomes of single commands, by name. */
  readonly overrides?: Readonly<Record<string, Override>> | undefined
  /** Names of sources, highest first. */
  readonly precedence?: readonly string[] | undefined
  /** Further folders whose skills count as the project's. */
  readonly additional?: readonly string[] | undefined
  /** Folders of skills that links of the project may lead into; `~/` is the home folder. */
  readonly linksTo?: readonly string[] | undefined
  /** What becomes of skills that need what is not there. Default: `tell`. */
  readonly unmetNeeds?: 'tell' | 'leave-out' | undefined
  /** Folders of plugins. */
  readonly plugins?: readonly (string | (NamedPart & { readonly path: string }))[] | undefined
  /** npm packages that are plugins. */
  readonly packages?: readonly (string | (NamedPart & { readonly name: string }))[] | undefined
  /** Marketplaces, by file or by folder: all their plugins, `only` some, or all but the `disabled` ones. */
  readonly marketplaces?: readonly (string | NamedMarketplace)[] | undefined
  /** MCP servers by name, each with a command or a URL. */
  readonly servers?: Readonly<Record<string, ConfiguredServer>> | undefined
  /** Permission rules, as `Bash(git status:*)`. */
  readonly rules?:
    | {
        readonly allow?: readonly string[] | undefined
        readonly ask?: readonly string[] | undefined
        readonly deny?: readonly string[] | undefined
      }
    | undefined
  /** Only `false` says something, here and of the next three. */
  readonly activation?: boolean | undefined
  readonly bundled?: boolean | undefined
  readonly hooks?: boolean | undefined
  readonly shell?: boolean | undefined
  /** Whether files that a skill names are read into its text. */
  readonly files?: boolean | undefined
  readonly listing?: AnyListing | undefined
  /** Of a `skills.config.mjs` alone: plugins of the engine. */
  readonly providers?: readonly Plugin[] | undefined
}

/** What a plugin asks its user for, by name. */
type Values = Readonly<Record<string, string | number | boolean>>

interface NamedPart {
  /** Default: true. */
  readonly enabled?: boolean | undefined
  readonly config?: Values | undefined
}

interface NamedMarketplace {
  readonly path: string
  /** Default: true. */
  readonly enabled?: boolean | undefined
  readonly only?: readonly string[] | undefined
  readonly disabled?: readonly string[] | undefined
  /** By plugin. */
  readonly config?: Readonly<Record<string, Values>> | undefined
}

/** A server that is started in the folder of the file, or one that is spoken to. */
export type ConfiguredServer =
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly cwd?: string | undefined
      readonly enabled?: boolean | undefined
    }
  | {
      readonly url: string
      readonly headers?: Readonly<Record<string, string>> | undefined
      readonly enabled?: boolean | undefined
    }
