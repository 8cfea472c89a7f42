import {
  defineProvider,
  loadResult,
  SkillsError,
  type Host,
  type Kind,
  type Provider,
  gateKind,
  rendererKind,
  sourceKind,
  type KindDefinition,
  type Plugin,
} from '@skills/core'
import { lstatOf } from '@skills/files/internal'
import { installedRecord } from './find-settings.js'
import { permissionRulesOptions, type PermissionRulesOptions } from '@skills/permission-rules/options'
import { invocationKinds } from '@skills/invocation'
import { formatterKind, strategyKind } from '@skills/invocation/skill-tool'
import { runsKind } from '@skills/runs/kind'
import { stateKind } from '@skills/state'
import { expanderKind, shellKind } from '@skills/expansion'
import type { AnyListing, BudgetFormatterOptions } from '@skills/formatter-budget/options'
import type { ActivationOptions } from '@skills/activation'
import type { BundledSourceOptions } from '@skills/source-bundled'
import type { CommandHooksOptions } from '@skills/hooks-command'
import type { FilesExpanderOptions } from '@skills/expansion/files'
import type { ForkExecutorOptions } from '@skills/executor-fork'
import type { InlineExecutorOptions } from '@skills/executor-inline'
import type { FileSourceOptions } from '@skills/files/source'
import type { McpSourceOptions } from '@skills/source-mcp'
import type { PublishedOptions } from './published.js'
import type { ShellExpanderOptions } from '@skills/expansion/shell'
import type { StateStoreOptions } from '@skills/state/internal'
import type { TextExpanderOptions } from '@skills/expansion/text'
import type { TrustOptions } from '@skills/trust'

/**
 * Makes a provider whose package is loaded when its kind is first used, so that listing skills does not load it.
 * @param what fields that the engine needs before that; they equal the fields of the provider itself
 * @returns provider whose set-up throws `E_CONTRACT_VERSION` if the installed package has another version
 */
export function onUse<K extends Kind, const N extends Kind = never>(
  what: Pick<Provider<K, N>, 'kind' | 'id' | 'order' | 'contract' | 'needs' | 'wants' | 'explains'>,
  load: (host: Host) => Promise<Provider<K, N>>,
): Provider<K, N> {
  const { kind, id, contract: expected = 1 } = what
  return defineProvider<K, N>({
    ...what,
    async setup(ctx) {
      const provider = await load(ctx.host)
      const { contract = 1 } = provider
      if (contract === expected) return provider.setup(ctx)
      throw new SkillsError(
        'E_CONTRACT_VERSION',
        `The ${kind} provider "${id}" was written for version ${contract} of the kind "${kind}", but this distribution needs version ${expected}.`,
        { hint: contract > expected ? 'Update @skills/distributions.' : 'Update the plugin.' },
      )
    },
  })
}

/**
 * Merges options of the listing. If the new options name another strategy, they start from the defaults of that
 * strategy. A new budget removes an old share of the window, and a new share an old budget, because the formatter
 * refuses options without effect.
 */
export function listingOver(before: AnyListing = {}, now: AnyListing = {}): AnyListing {
  if (now.strategy !== undefined && now.strategy !== (before.strategy ?? 'fair')) return now
  const { budget, fraction, charsPerToken, unknownWindow, tokens, ...others } = before
  if (now.budget !== undefined) return { ...others, ...now }
  const { fraction: part, charsPerToken: chars, unknownWindow: unknown, tokens: count } = now
  const isOfWindow = [part, chars, unknown, count].some(value => value !== undefined)
  return {
    ...others,
    ...(!isOfWindow && budget !== undefined ? { budget } : { fraction, charsPerToken, unknownWindow, tokens }),
    ...now,
  }
}

/**
 * Joins a host's rules with those of the distribution, so that a deny rule of a host does not remove the distribution's
 * allow rules. Throws `E_INVALID_OPTION` for an unknown option and for one of a wrong type.
 */
function rulesOver(
  own: Partial<PermissionRulesOptions>,
  given: Partial<PermissionRulesOptions>,
): PermissionRulesOptions {
  // Checked now: a faulty deny rule must not stay unnoticed until the first invocation.
  permissionRulesOptions.read(given, 'rules')
  const both = (behavior: 'allow' | 'ask' | 'deny') => [...(given[behavior] ?? []), ...(own[behavior] ?? [])]
  const wildcards = own.wildcards && { wildcards: [...own.wildcards, ...(given.wildcards ?? [])] }
  return { ...own, ...given, allow: both('allow'), ask: both('ask'), deny: both('deny'), ...wildcards }
}

/** Kinds that a distribution knows, in addition to the engine's own. */
export const distributionKinds: readonly KindDefinition[] = [
  ...invocationKinds,
  stateKind,
  runsKind,
  expanderKind,
  shellKind,
  formatterKind,
  strategyKind,
]

const known: readonly KindDefinition[] = [sourceKind, gateKind, rendererKind, ...distributionKinds]

/** Kinds of which an engine has at most one provider. */
const single: ReadonlySet<string> = new Set(known.filter(({ arity }) => arity === 'one').map(({ kind }) => kind))

export const knownKinds: readonly string[] = known.map(({ kind }) => kind)

/** Plugin that is a single provider. */
export type Single = Exclude<Plugin, readonly unknown[]>

/**
 * True if one provider replaces another: both have a kind that takes only one provider, or both have the same kind and
 * id.
 */
export function replaces(one: Pick<Provider, 'kind' | 'id'>, other: Pick<Provider, 'kind' | 'id'>): boolean {
  return one.kind === other.kind && (single.has(one.kind) || one.id === other.id)
}

/** Returns the plugins. Each given plugin takes the place of the plugin that it replaces. */
export function withReplacements(plugins: readonly Plugin[], given: readonly Plugin[]): readonly Plugin[] {
  const providers = given.flat() as readonly Single[]
  return [
    ...(plugins.flat() as readonly Single[]).filter(one => !providers.some(other => replaces(other, one))),
    ...given,
  ]
}

/** Options for reading files that all sources of a distribution share. */
export type SkillReading = Pick<FileSourceOptions, 'layout' | 'sharedReads'>

/** Options of a host that several parts read. */
export interface Around {
  readonly reading: SkillReading
  /** Folders of the machine's administrator. */
  readonly managedDirs: readonly string[] | undefined
  /** Plugins, whose servers are used if they are named. */
  readonly published?: Partial<PublishedOptions> | undefined
}

/**
 * Condition under which a distribution has a part:
 *
 * - `always`: every distribution.
 * - `switched`: the distribution lists the part and the host does not pass `false`, or the host gives options for the
 *   part.
 * - `named`: the distribution lists the part, and the host gives options for it or the distribution's own have
 *   `installed`. Nothing else is read that the host does not name.
 * - `brought`: the distribution lists the part, the distribution or the host gives options, and the host does not pass
 *   `false`.
 * - `listed`: the distribution lists the part. No host can adjust it.
 */
export type Has = 'always' | 'switched' | 'named' | 'brought' | 'listed'

/** Plugin with the name under which distributions, hosts and configurations set its options. */
export interface Part<O extends object = object, H extends Has = Has> {
  readonly has: H
  plugin(options: O, around: Around): Plugin
  /** Merges a host's options into those of a distribution. Default: option by option. */
  over?(own: Partial<O>, given: Partial<O>): Partial<O>
}

const kindOf =
  <H extends Has>(has: H) =>
  <O extends object>(plugin: Part<O>['plugin'], over?: Part<O>['over']): Part<O, H> => ({
    has,
    plugin,
    ...(over && { over }),
  })

const [always, switched, named, brought, listed] = [
  kindOf('always'),
  kindOf('switched'),
  kindOf('named'),
  kindOf('brought'),
  kindOf('listed'),
]

/** Source without plugins. */
const none = defineProvider({
  kind: 'source',
  id: 'plugin',
  setup: () => ({ source: 'plugin', list: () => loadResult({}), refresh: () => undefined }),
})

const isNamed = ({ plugins, packages, marketplaces }: PublishedOptions): boolean =>
  (plugins ?? packages ?? marketplaces) !== undefined

/** Every part that is loaded on use, in the order in which an engine gets their providers. */
export const parts = {
  published: named<PublishedOptions>((options, { reading, managedDirs }) =>
    onUse({ kind: 'source', id: 'plugin' }, async host =>
      isNamed(options) || lstatOf(installedRecord(host)) !== undefined
        ? (await import('./published.js')).published({ ...reading, ...options }, host, managedDirs)
        : none,
    ),
  ),
  mcp: named<McpSourceOptions>((options, around) =>
    onUse({ kind: 'source', id: 'mcp' }, async host => (await import('./mcp-part.js')).mcpPart(options, around, host)),
  ),
  bundled: brought<Partial<BundledSourceOptions>>(options =>
    onUse({ kind: 'source', id: 'bundled' }, async () =>
      (await import('@skills/source-bundled')).bundledSource({ skills: [], ...options }),
    ),
  ),
  activation: switched<ActivationOptions>((options, { reading }) => {
    const active = { ...reading, ...options }
    // Before or after the project's own, so that these keep their names.
    const order = active.clash === 'deepest-wins' ? -1 : 1
    return [
      onUse(
        { kind: 'gate', id: 'conditional' },
        async () => (await import('@skills/activation')).activation(active)[0],
      ),
      onUse(
        { kind: 'source', id: 'nested', order },
        async () => (await import('@skills/activation')).activation(active)[1],
      ),
    ]
  }),
  /** Settings files that hide skills (`skillOverrides`) and switch embedded commands off. */
  settings: listed<object>((_options, { managedDirs }) =>
    onUse({ kind: 'gate', id: 'settings' }, async () =>
      (await import('./skill-settings.js')).skillSettings(managedDirs),
    ),
  ),
  state: always<StateStoreOptions>(options =>
    onUse({ kind: 'state', id: 'files', explains: false }, async () =>
      (await import('./files-state.js')).stateStore(options),
    ),
  ),
  trust: always<TrustOptions>(options =>
    onUse({ kind: 'trust', id: 'trust', needs: ['state'], wants: ['executor'] }, async () =>
      (await import('@skills/trust')).trust(options),
    ),
  ),
  rules: always<PermissionRulesOptions>(
    (options, { managedDirs }) =>
      onUse({ kind: 'permission', id: 'rules', needs: ['trust'], wants: ['executor'] }, async host =>
        (await import('./permissions.js')).standardPermissions(host, options, managedDirs),
      ),
    rulesOver,
  ),
  text: always<TextExpanderOptions>(options =>
    onUse({ kind: 'expander', id: 'text', explains: false }, async () =>
      (await import('@skills/expansion/text')).textExpander(options),
    ),
  ),
  /** Makes paths in a body absolute, in place of naming the folder. */
  links: listed<object>(() =>
    onUse({ kind: 'expander', id: 'links', explains: false }, async () =>
      (await import('@skills/expansion/text')).linksExpander(),
    ),
  ),
  shell: switched<ShellExpanderOptions>(options =>
    onUse({ kind: 'expander', id: 'shell', wants: ['shell'], explains: false }, async () =>
      (await import('@skills/expansion/shell')).shellExpander(options),
    ),
  ),
  files: switched<FilesExpanderOptions>(options =>
    onUse({ kind: 'expander', id: 'files', explains: false }, async () =>
      (await import('@skills/expansion/files')).filesExpander(options),
    ),
  ),
  inline: always<InlineExecutorOptions>(options =>
    onUse({ kind: 'executor', id: 'inline', wants: ['expander', 'state', 'hooks'], explains: false }, async () =>
      (await import('@skills/executor-inline')).inlineExecutor(options),
    ),
  ),
  /** Runs a skill in a sub-agent. The host registers a runner. */
  fork: switched<ForkExecutorOptions>(options =>
    onUse(
      {
        kind: 'executor',
        id: 'fork',
        wants: ['runner', 'expander', 'hooks', 'state', 'trust', 'runs', 'tracer'],
        explains: false,
      },
      async () => (await import('@skills/executor-fork')).forkExecutor(options),
    ),
  ),
  /** Runs hooks of skills. */
  hooks: switched<CommandHooksOptions>(options =>
    onUse({ kind: 'hooks', id: 'command', wants: ['trust', 'source', 'gate'], explains: false }, async () =>
      (await import('@skills/hooks-command')).commandHooks(options),
    ),
  ),
  listing: always<AnyListing>(
    options => [
      onUse({ kind: 'formatter', id: 'budget', wants: ['state', 'strategy'] }, async () =>
        // The formatter checks the options, because a host may have no type checker.
        (await import('@skills/formatter-budget')).budgetFormatter(options as BudgetFormatterOptions),
      ),
    ],
    listingOver,
  ),
}

export type Parts = typeof parts
export type PartName = keyof Parts
export type OptionsOf<N extends PartName> = Parts[N] extends Part<infer O> ? O : never

/** Options of the parts in the form in which a host gives them. `false` switches a part off. */
export type PartOptions = {
  readonly [N in PartName as Parts[N]['has'] extends 'listed' ? never : N]?:
    | OptionsOf<N>
    | (Parts[N]['has'] extends 'switched' | 'brought' ? false : never)
    | undefined
}
