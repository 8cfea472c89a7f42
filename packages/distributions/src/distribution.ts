import type { Host, Plugin, Provider, SkillsOptions } from '@skills/core'
import type { ActivationOptions } from '@skills/activation'
import type { AnyListing, BudgetFormatterOptions } from '@skills/formatter-budget'
import type { BundledSourceOptions } from '@skills/source-bundled'
import type { FilesExpanderOptions } from '@skills/expander-files'
import type { CommandHooksOptions } from '@skills/hooks-command'
import type { ForkExecutorOptions } from '@skills/executor-fork'
import type { InlineExecutorOptions } from '@skills/executor-inline'
import type { InvokerOptions } from '@skills/invocation'
import type { FileSourceOptions, Layout } from '@skills/files/source'
import type { ManagedSourceOptions } from '@skills/source-managed'
import type { McpSourceOptions } from '@skills/source-mcp'
import type { PermissionRulesOptions } from '@skills/permission-rules'
import type { PluginSourceOptions } from '@skills/source-plugin'
import type { ShellExpanderOptions } from '@skills/expander-shell'
import type { EnginePortOptions, SkillToolOptions, Visibility } from '@skills/invocation/skill-tool'
import type { StateStoreOptions } from '@skills/state'
import type { TextExpanderOptions } from '@skills/expander-text'
import type { TrustOptions } from '@skills/trust'

/**
 * What an engine is made of, and what its host makes an agent's tool of: `createSkills(distribution)`. See
 * docs/reference/distributions.md, "Distributions".
 */
export interface Distribution extends SkillsOptions {
  readonly name: string
  /** For `skillTool(port, distribution.tool)`. Its `listingIn` says where the listing goes. */
  readonly tool: SkillToolOptions
  /** For `enginePort(skills, { ...distribution.port, invoker })`. */
  readonly port: EnginePortOptions
  /** For `new Invoker(skills, { ...distribution.invoker, onAsk })`. */
  readonly invoker: InvokerOptions
  /** For `viewsOf(catalog, distribution.visibility)`. */
  readonly visibility: Visibility
  /** How a skill stands in the conversation, for a caller that shows its text without running it. */
  readonly inline: InlineExecutorOptions
  /** What counts as an embedded command, for a caller that finds them without running any; `false`: nothing does. */
  readonly shell: ShellExpanderOptions | false
  /** How skills run in a sub-agent, for a caller that looks for their agents; `false`: none does. */
  readonly fork: ForkExecutorOptions | false
}

export type PermissionProvider = Provider<'permission', 'trust'> | Provider<'permission'>

/** How a distribution is adjusted: what is given here takes the place of its own, option by option. */
export interface DistributionOptions
  extends
    Pick<SkillsOptions, 'onDiagnostic'>,
    Partial<Omit<SkillsOptions, 'onDiagnostic' | 'plugins' | 'host'>>,
    PartOptions {
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
  /**
   * Default: a project counts once its folder is trusted. `{ all: true }`: the host answers for every folder, as the
   * systems do that some distributions follow.
   */
  readonly trust?: TrustOptions | undefined
  readonly state?: StateStoreOptions | Provider<'state'> | undefined
  /**
   * Plugins beyond the distribution's own. One of a kind that takes one provider, or with the id of one of its own,
   * takes its place.
   */
  readonly plugins?: readonly Plugin[]
}

export type MakeDistribution = (options: DistributionOptions) => Distribution

/** The options of the parts, which a distribution sets and a host adjusts. */
export interface PartOptions {
  readonly published?: PluginSourceOptions | undefined
  readonly mcp?: McpSourceOptions | undefined
  readonly bundled?: Partial<BundledSourceOptions> | false | undefined
  readonly activation?: ActivationOptions | false | undefined
  readonly rules?: PermissionRulesOptions | undefined
  readonly text?: TextExpanderOptions | undefined
  readonly shell?: ShellExpanderOptions | false | undefined
  readonly files?: FilesExpanderOptions | false | undefined
  readonly inline?: InlineExecutorOptions | undefined
  /** How a skill runs in a sub-agent; the host registers a runner. `false`: none does. */
  readonly fork?: ForkExecutorOptions | false | undefined
  /** How hooks of skills run; `false`: none does. */
  readonly hooks?: CommandHooksOptions | false | undefined
  readonly listing?: AnyListing | undefined
  readonly tool?: SkillToolOptions | undefined
  readonly invoker?: InvokerOptions | undefined
  readonly visibility?: Visibility | undefined
}

/** How all of a distribution's sources read their files. */
export type SkillReading = Pick<FileSourceOptions, 'layout' | 'sharedReads'>

/** What makes a distribution the one it is. */
export interface DistributionParts
  extends
    Omit<PartOptions, 'published' | 'mcp' | 'bundled' | 'listing'>,
    Required<Pick<SkillsOptions, 'precedence'>>,
    Pick<SkillsOptions, 'identityOf' | 'qualifyLosers' | 'warningsOf'> {
  readonly name: string
  /** How its folders are walked and read. Default: as each source does by itself. */
  readonly layout?: Layout | undefined
  /** How far its own sources are trusted. */
  readonly trust?: TrustOptions | undefined
  /** Sources that only this distribution has. */
  readonly sources: (reading: SkillReading) => readonly Plugin[]
  /**
   * How plugins, servers and skills in code are read, where it has them; nothing of them is read that the host does not
   * name.
   */
  readonly published?: Omit<PluginSourceOptions, 'plugins'> | undefined
  readonly mcp?: Omit<McpSourceOptions, 'servers'> | undefined
  readonly listing?: BudgetFormatterOptions | undefined
  readonly hasBundled?: boolean | undefined
  /** Whether settings files say what of skills is listed, by `skillOverrides`, and whether embedded commands run. */
  readonly readsSettings?: boolean | undefined
  /** What it brings along in its code, unless the host brings others. */
  readonly bundledSkills?: BundledSourceOptions['skills'] | undefined
  /** Whether paths in a body are made absolute instead of naming the folder. */
  readonly linksPaths?: boolean | undefined
  /** Default: false. */
  readonly leavesOutDenied?: EnginePortOptions['leavesOutDenied']
}
