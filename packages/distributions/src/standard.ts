import { defineProvider, processHost, type Host, type Plugin, type Provider, type SkillsOptions } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { formatterKind } from '@skills/skill-tool'
import { builtinSource, type BuiltinSourceOptions } from '@skills/source-builtin'
import { managedSource, type ManagedSourceOptions } from '@skills/source-managed'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { stateKind, type StateStoreOptions } from '@skills/state'
import { expanderKind } from '@skills/template'
import { onUse } from './on-use.js'
import type { ActivationOptions } from '@skills/activation'
import type { BundledSourceOptions } from '@skills/source-bundled'
import type { BudgetFormatterOptions } from '@skills/formatter-budget'
import type { FileSourceOptions } from '@skills/skill-files'
import type { CommandHooksOptions } from '@skills/hooks-command'
import type { FilesExpanderOptions } from '@skills/expander-files'
import type { ForkExecutorOptions } from '@skills/executor-fork'
import type { InlineExecutorOptions } from '@skills/executor-inline'
import type { McpSourceOptions } from '@skills/source-mcp'
import type { PermissionRulesOptions } from '@skills/permission-rules'
import type { PluginSourceOptions } from '@skills/source-plugin'
import type { ShellExpanderOptions } from '@skills/expander-shell'
import type { TextExpanderOptions } from '@skills/expander-text'
import type { TrustOptions } from '@skills/trust'

export interface StandardOptions extends Pick<SkillsOptions, 'onDiagnostic'>, Partial<Omit<SkillsOptions, 'onDiagnostic' | 'plugins' | 'host'>> {
  /** What is known better than by asking this process, such as `cwd` and `home`. */
  readonly host?: Partial<Host>
  /** Further folders whose skills count as the project's, absolute. */
  readonly additional?: readonly string[]
  /** Whether what was read of the user's and the project's skills is kept on disk, so that the next start reads only what changed. Default: true. */
  readonly index?: FileSourceOptions['index']
  /** Where whoever runs the machine keeps skills and policy, such as another folder. Default: the platform's folder. */
  readonly managed?: ManagedSourceOptions | undefined
  /** Published plugins whose skills are wanted. Default: none; nothing is a plugin that nobody names. */
  readonly published?: PluginSourceOptions | undefined
  /** MCP servers whose prompts and skills are wanted. Default: none; nothing is spoken to that nobody names. */
  readonly mcp?: McpSourceOptions | undefined
  /** Skills that wait for a file to be touched, and those of folders further down; `false`: none waits, and none is looked for. */
  readonly activation?: ActivationOptions | false | undefined
  /** Skills that the host brings along in its code; `false` for none at all. Default: four skills about skills. */
  readonly bundled?: Partial<BundledSourceOptions> | false | undefined
  /** Further commands of the host, or ones to leave out; `false` for none at all. Default: `/help` and `/skills`. */
  readonly builtin?: BuiltinSourceOptions | false | undefined
  /** Rules about what may run, besides those of settings files. */
  readonly rules?: PermissionRulesOptions | undefined
  /** Who decides instead of such rules: `standardPermissions()` in hand, `allowAll()`, or a host's own. */
  readonly permission?: Provider<'permission', 'trust'> | Provider<'permission'> | undefined
  /** Who is trusted besides what the user trusts. */
  readonly trust?: TrustOptions | undefined
  /** Where it is remembered what was trusted, approved, saved and used. Default: the user's state folder. */
  readonly state?: StateStoreOptions | Provider<'state'> | undefined
  /** Arguments and variables in a body. */
  readonly text?: TextExpanderOptions | undefined
  /** How embedded commands run; `false`: none does, and they stay as they are written. */
  readonly shell?: ShellExpanderOptions | false | undefined
  /** Which files `@path` may bring into a body. Default: `false`, it stays as it is written. */
  readonly files?: FilesExpanderOptions | false | undefined
  /** How a skill is carried out in the conversation. */
  readonly inline?: InlineExecutorOptions | undefined
  /** How a skill with `context: fork` is carried out by a sub-agent. The runner is the host's to register. */
  readonly fork?: ForkExecutorOptions | undefined
  /** How the hooks run that skills and plugins declare; `false`: none does. */
  readonly hooks?: CommandHooksOptions | false | undefined
  /** What tells a model which skills there are. */
  readonly listing?: BudgetFormatterOptions | undefined
  /** Plugins beyond the distribution's own. */
  readonly plugins?: readonly Plugin[]
}

/**
 * The default distribution: managed skills and policy, then the user's and the project's skills, of `.claude` and `.agents`,
 * searched deeply, and the built-in commands; trust by folder, permission by rules, arguments and embedded commands, inline
 * execution, and a listing that shares its room fairly. What only an invocation needs is read from disk with the first one.
 * See docs/reference.md, "The standard distribution".
 */
export function standard(options: StandardOptions): SkillsOptions {
  const { host = {}, additional = [], index = true, managed, published, mcp, activation = {}, bundled = {}, builtin = {}, rules, permission, trust, state, text, shell, files, inline, fork, hooks = {}, listing, plugins = [], kinds = [], ...rest } = options
  return {
    precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
    ...rest,
    host: processHost(host),
    kinds: [...invocationKinds, stateKind, expanderKind, formatterKind, ...kinds],
    plugins: [
      ...managedSource(managed), userSource({ index }), projectSource({ additional, index }),
      ...when(published, given => onUse({ kind: 'source', id: 'plugin' }, async () => (await import('@skills/source-plugin')).pluginSource(given))),
      ...when(mcp, given => onUse({ kind: 'source', id: 'mcp' }, async () => (await import('@skills/source-mcp')).mcpSource(given))),
      ...when(activation, given => [
        onUse({ kind: 'gate', id: 'conditional' }, async () => (await import('@skills/activation')).activation(given)[0]),
        // After the project's own, so that these keep their names.
        onUse({ kind: 'source', id: 'nested', order: given.clash === 'deepest-wins' ? -1 : 1 }, async () => (await import('@skills/activation')).activation(given)[1]),
      ]).flat(),
      ...when(bundled, given => onUse({ kind: 'source', id: 'bundled' }, async () => {
        const [{ bundledSource }, { bundledSkills }] = await Promise.all([import('@skills/source-bundled'), import('./bundled-skills.js')])
        return bundledSource({ skills: bundledSkills, ...given })
      })),
      ...plugins,
      ...when(builtin, builtinSource),
      isProvider(state) ? state : onUse({ kind: 'state', id: 'files' }, async () => (await import('@skills/state')).stateStore(state)),
      onUse({ kind: 'trust', id: 'trust', needs: ['state'] }, async () => (await import('@skills/trust')).trust(trust)),
      permission ?? standardRules(rules),
      onUse({ kind: 'expander', id: 'text' }, async () => (await import('@skills/expander-text')).textExpander(text)),
      ...when(shell ?? {}, given => onUse({ kind: 'expander', id: 'shell' }, async () => (await import('@skills/expander-shell')).shellExpander(given))),
      ...when(files, given => onUse({ kind: 'expander', id: 'files' }, async () => (await import('@skills/expander-files')).filesExpander(given))),
      onUse({ kind: 'executor', id: 'inline', wants: ['expander', 'state', 'hooks'] }, async () => (await import('@skills/executor-inline')).inlineExecutor(inline)),
      onUse({ kind: 'executor', id: 'fork', wants: ['runner', 'expander', 'hooks', 'state', 'trust'] }, async () => (await import('@skills/executor-fork')).forkExecutor(fork)),
      ...when(hooks, given => onUse({ kind: 'hooks', id: 'command', wants: ['trust', 'source', 'gate'] }, async () => (await import('@skills/hooks-command')).commandHooks(given))),
      onUse({ kind: 'formatter', id: 'budget', wants: ['state'] }, async () => (await import('@skills/formatter-budget')).budgetFormatter(listing)),
    ],
  }
}

/** Reads which settings files there are for a host when somebody asks for leave. */
function standardRules(rules: PermissionRulesOptions | undefined): Provider<'permission', 'trust'> {
  return defineProvider({
    kind: 'permission', id: 'rules', needs: ['trust'],
    setup: async ctx => (await import('./permissions.js')).standardPermissions(ctx.host, rules).setup(ctx),
  })
}

/** What is made of options, unless it is switched off. */
function when<T, P>(given: T | false | undefined, make: (given: T) => P): readonly P[] {
  return given === undefined || given === false ? [] : [make(given)]
}

function isProvider<T extends object>(given: T | Provider<'state'> | undefined): given is Provider<'state'> {
  return given !== undefined && 'setup' in given
}
