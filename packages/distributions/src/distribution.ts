import type { Host, Plugin, Provider, SkillsOptions } from '@skills/core'
import type { FileSourceOptions, Layout } from '@skills/files/source'
import type { ForkExecutorOptions } from '@skills/executor-fork'
import type { InlineExecutorOptions } from '@skills/executor-inline'
import type { InvokerOptions } from '@skills/invocation'
import type { ManagedSourceOptions } from '@skills/source-managed'
import type { PermissionRulesOptions } from '@skills/permission-rules'
import type { ShellExpanderOptions } from '@skills/expansion/shell'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'
import type { Visibility } from '@skills/invocation/internal'
import type { StateStoreOptions } from '@skills/state/internal'
import type { PartOptions } from './parts.js'

/**
 * What an engine is made of, and what its host makes an agent's tool of: `createSkills(distribution)`. See
 * docs/reference/distributions.md, "Distributions".
 */
export interface Distribution extends SkillsOptions, HostParts {
  readonly name: string
  /** For `enginePort(skills, { ...distribution.port, invoker })`. */
  readonly port: EnginePortOptions
  /** How a skill stands in the conversation, for a caller that shows its text without running it. */
  readonly inline: InlineExecutorOptions
  /** What counts as an embedded command, for a caller that finds them without running any; `false`: nothing does. */
  readonly shell: ShellExpanderOptions | false
  /** How skills run in a sub-agent, for a caller that looks for their agents; `false`: none does. */
  readonly fork: ForkExecutorOptions | false
}

/** Options of what a host makes itself, apart from plugins. */
export interface HostParts {
  /** For `skillTool(port, distribution.tool)`. Its `listingIn` says where the listing goes. */
  readonly tool: SkillToolOptions
  /** For `new Invoker(skills, { ...distribution.invoker, onAsk })`. */
  readonly invoker: InvokerOptions
  /** For `viewsOf(catalog, distribution.visibility)`. */
  readonly visibility: Visibility
}

export type PermissionProvider = Provider<'permission', 'trust'> | Provider<'permission'>

/** How a distribution is adjusted: what is given here takes the place of its own, option by option. */
export interface DistributionOptions
  extends
    Pick<SkillsOptions, 'onDiagnostic'>,
    Partial<Omit<SkillsOptions, 'onDiagnostic' | 'plugins' | 'host'>>,
    Omit<PartOptions, 'state'>,
    Partial<HostParts> {
  /** What is known better than by asking this process, such as `cwd` and `home`. */
  readonly host?: Partial<Host>
  /** Further folders whose skills count as the project's, absolute, where the distribution knows such. */
  readonly additional?: readonly string[]
  /**
   * Folders of skills besides the user's that links of the project may lead into, absolute, or behind `~/` in the home
   * folder. Default: none.
   */
  readonly linksTo?: readonly string[]
  /**
   * Where the machine's administrator keeps skills and policy. Where the distribution knows no such skills there is the
   * policy, once this is given.
   */
  readonly managed?: ManagedSourceOptions | undefined
  readonly layout?: Layout | undefined
  /**
   * What becomes of skills that need a program, a variable, a system or an MCP server that is not there: `explain`
   * tells of it (default), or they are left out.
   */
  readonly unmetNeeds?: 'tell' | 'leave-out' | undefined
  /**
   * What other engines of this process have read of skill files, which are then not read again: one object for all of
   * them. Default: nothing.
   */
  readonly sharedReads?: FileSourceOptions['sharedReads']
  /**
   * Who decides instead of rules, or what makes it of the rules that there would be: those of the distribution, and
   * `rules`.
   */
  readonly permission?: PermissionProvider | ((rules: PermissionRulesOptions) => PermissionProvider) | undefined
  readonly state?: StateStoreOptions | Provider<'state'> | undefined
  /**
   * Plugins beyond the distribution's own. One of a kind that takes one provider, or with the id of one of its own,
   * takes its place.
   */
  readonly plugins?: readonly Plugin[]
}

export type MakeDistribution = (options: DistributionOptions) => Distribution

/** The version of a program that a distribution was checked against, and the day. */
export interface Checked {
  readonly program: string
  readonly version: string
  /** A day, as `2026-11-22`. */
  readonly on: string
}
