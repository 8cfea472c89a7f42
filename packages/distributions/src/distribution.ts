import type { Host, Plugin, Provider, SkillsOptions } from '@skills/core'
import type { FileSourceOptions, Layout } from '@skills/files/source'
import type { ForkExecutorOptions } from '@skills/executor-fork'
import type { InlineExecutorOptions } from '@skills/executor-inline'
import type { InvokerOptions } from '@skills/invocation'
import type { ManagedSourceOptions } from '@skills/source-managed'
import type { PermissionRulesOptions } from '@skills/permission-rules'
import type { ShellExpanderOptions } from '@skills/expansion/shell'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'
import type { ProgramListing, Visibility } from '@skills/invocation/internal'
import type { StateStoreOptions } from '@skills/state/internal'
import type { AnyListing } from '@skills/formatter-budget/options'
import type { PartOptions } from './parts.js'

/**
 * Options for an engine, `createSkills(distribution)`, and for the tool of an agent, which the host makes. See
 * docs/reference/distributions.md, "Distributions".
 */
export interface Distribution extends SkillsOptions, HostParts {
  readonly name: string
  /** Options for `enginePort(skills, { ...distribution.port, invoker })`. */
  readonly port: EnginePortOptions
  /** Options for how a skill is put into the conversation, for a caller that shows its text without running it. */
  readonly inline: InlineExecutorOptions
  /**
   * Options that define embedded commands, for a caller that finds them without running any. `false`: there are none.
   */
  readonly shell: ShellExpanderOptions | false
  /** Options for running skills in a sub-agent, for a caller that looks for their agents. `false`: no skill does. */
  readonly fork: ForkExecutorOptions | false
  /** Options of the listing, for a caller that asks whether some skills have room in it. */
  readonly listing: AnyListing
  /** Facts about the listing of the released program, for statements about what its model is told. */
  readonly ofProgram?: ProgramListing | undefined
}

/** Options of the parts that a host makes itself, apart from plugins. */
export interface HostParts {
  /** Options for `skillTool(port, distribution.tool)`. Its `listingIn` decides where the listing goes. */
  readonly tool: SkillToolOptions
  /** Options for `new Invoker(skills, { ...distribution.invoker, onAsk })`. */
  readonly invoker: InvokerOptions
  /** Options for `viewsOf(catalog, distribution.visibility)`. */
  readonly visibility: Visibility
}

export type PermissionProvider =
  | Provider<'permission', 'trust' | 'executor'>
  | Provider<'permission', 'trust'>
  | Provider<'permission'>

/** Options of a host for a distribution. Each replaces the same option of the distribution. */
export interface DistributionOptions
  extends
    Pick<SkillsOptions, 'onDiagnostic'>,
    Partial<Omit<SkillsOptions, 'onDiagnostic' | 'plugins' | 'host'>>,
    Omit<PartOptions, 'state'>,
    Partial<HostParts> {
  /** Values that replace those of this process, such as `cwd` and `home`. */
  readonly host?: Partial<Host>
  /** Absolute paths of further folders whose skills count as the project's, if the distribution supports them. */
  readonly additional?: readonly string[]
  /**
   * Further folders of skills that links of the project may lead into, besides the user's. Absolute, or in the home
   * folder with `~/`. Default: none.
   */
  readonly linksTo?: readonly string[]
  /**
   * Folders of the machine's administrator. A distribution without managed skills applies the policy in them only if
   * this is given.
   */
  readonly managed?: ManagedSourceOptions | undefined
  readonly layout?: Layout | undefined
  /**
   * Treatment of skills that need a missing program, variable, system or MCP server. `tell` (default): `explain`
   * reports it. `leave-out`: they are not loaded.
   */
  readonly unmetNeeds?: 'tell' | 'leave-out' | undefined
  /**
   * Cache of skill files that other engines of this process have read, so that they are not read again. Pass one object
   * to all of them. Default: no cache.
   */
  readonly sharedReads?: FileSourceOptions['sharedReads']
  /**
   * Permission provider in place of rules, or a function that makes one from the rules of the distribution and of the
   * option `rules`.
   */
  readonly permission?: PermissionProvider | ((rules: PermissionRulesOptions) => PermissionProvider) | undefined
  readonly state?: StateStoreOptions | Provider<'state'> | undefined
  /**
   * Further plugins. One replaces the distribution's own if it has the same id, or if its kind takes only one provider.
   */
  readonly plugins?: readonly Plugin[]
}

export type MakeDistribution = (options: DistributionOptions) => Distribution

/** Files, folders and programs by which a program is recognized on a machine, without running anything. */
export interface Traces {
  /** Names of its executables on the search path. */
  readonly programs: readonly string[]
  /** Its files and folders, relative to the home folder. */
  readonly home: readonly string[]
  /** Its files and folders, relative to the root of a project. */
  readonly project: readonly string[]
}

/** Version of the program that a distribution was checked against, and the day of the check. */
export interface Checked {
  readonly program: string
  readonly version: string
  /** Day, such as `2026-11-22`. */
  readonly on: string
}
