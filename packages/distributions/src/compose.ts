import {
  checkOptions,
  defineProvider,
  processHost,
  SkillsError,
  type Gate,
  type Plugin,
  type Provider,
  type Source,
} from '@skills/core'
import { listedBy } from '@skills/invocation/skill-tool'
import { listingOf } from './listing-options.js'
import { misspeltPrecedence } from './misspelt-precedence.js'
import { onUse } from './on-use.js'
import { distributionKinds, withReplacements } from './replace-providers.js'
import { alikeNames } from './same-name.js'
import type {
  Distribution,
  DistributionOptions,
  DistributionParts,
  PermissionProvider,
  SkillReading,
} from './distribution.js'
import type { PermissionRulesOptions } from '@skills/permission-rules'

/**
 * A distribution of its parts, with what a host adjusts. Unless the parts say otherwise skills lose their names without
 * keeping a qualified one.
 * @param more options that this distribution has besides, and has taken already
 */
export function compose(
  parts: DistributionParts,
  options: DistributionOptions,
  more: Readonly<Record<string, 1>> = {},
): Distribution {
  checkOptions<DistributionOptions>(`Distribution "${parts.name}"`, options, {
    ...more,
    host: 1,
    additional: 1,
    linksTo: 1,
    unmetNeeds: 1,
    managed: 1,
    layout: 1,
    sharedReads: 1,
    permission: 1,
    trust: 1,
    state: 1,
    plugins: 1,
    onDiagnostic: 1,
    precedence: 1,
    qualifyLosers: 1,
    identityOf: 1,
    warningsOf: 1,
    overrides: 1,
    kinds: 1,
    sourceLimitMs: 1,
    published: 1,
    mcp: 1,
    bundled: 1,
    activation: 1,
    rules: 1,
    text: 1,
    shell: 1,
    files: 1,
    inline: 1,
    fork: 1,
    hooks: 1,
    listing: 1,
    tool: 1,
    invoker: 1,
    visibility: 1,
  })
  const {
    host = {},
    additional: _additional,
    linksTo: _linksTo,
    unmetNeeds,
    managed,
    layout,
    sharedReads,
    published,
    mcp,
    bundled,
    activation,
    rules,
    permission,
    trust,
    state,
    text,
    shell,
    files,
    inline,
    fork,
    hooks,
    listing,
    tool,
    invoker,
    visibility: seen,
    plugins = [],
    kinds = [],
    ...rest
  } = options
  const visibility = { ...parts.visibility, ...seen }
  const misspelt = misspeltPrecedence(options.precedence, parts.precedence)
  return {
    name: parts.name,
    precedence: parts.precedence,
    qualifyLosers: parts.qualifyLosers ?? false,
    ...(parts.identityOf && { identityOf: parts.identityOf }),
    warningsOf: collisions => [...misspelt, ...alikeNames(collisions), ...(parts.warningsOf?.(collisions) ?? [])],
    ...rest,
    host: processHost(host),
    kinds: [...distributionKinds, ...kinds],
    tool: { suggests: false, ...parts.tool, ...tool },
    port: { isListed: listedBy(visibility), leavesOutDenied: parts.leavesOutDenied ?? false },
    invoker: { ...parts.invoker, ...invoker },
    visibility,
    inline: { ...parts.inline, ...inline },
    shell: joined(parts.shell, shell) ?? false,
    fork: joined(parts.fork, fork) ?? false,
    plugins: withReplacements(
      [
        ...parts.sources(readingOf(parts, options)),
        ...publishedPlugins(parts, options),
        ...(parts.readsSettings === true
          ? [
              onUse({ kind: 'gate', id: 'settings' }, async () =>
                (await import('./skill-settings.js')).skillSettings(managed?.dirs),
              ),
            ]
          : []),
        needsGate(unmetNeeds, mcp?.servers && Object.keys(mcp.servers)),
        ...(isProvider(state)
          ? [state]
          : [onUse({ kind: 'state', id: 'files' }, async () => (await import('./files-state.js')).stateStore(state))]),
        onUse({ kind: 'trust', id: 'trust', needs: ['state'] }, async () =>
          (await import('@skills/trust')).trust({ ...parts.trust, ...trust }),
        ),
        permissionFrom(rulesOf(parts, rules), permission),
        ...expanders(parts, { text, shell, files }),
        onUse({ kind: 'executor', id: 'inline', wants: ['expander', 'state', 'hooks'] }, async () =>
          (await import('@skills/executor-inline')).inlineExecutor({ ...parts.inline, ...inline }),
        ),
        ...carriers(parts, { fork, hooks }),
        onUse({ kind: 'formatter', id: 'budget', wants: ['state', 'strategy'] }, async () =>
          (await import('@skills/formatter-budget')).budgetFormatter(listingOf(parts.listing, listing)),
        ),
      ],
      plugins,
    ),
  }
}

/** Tells of what skills need and is not there, or leaves them out. What judges it is loaded for who asks. */
function needsGate(unmet: DistributionOptions['unmetNeeds'], servers: readonly string[] | undefined): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'needs',
    setup: ({ host }): Gate & Pick<Source, 'explain'> => ({
      ...(unmet === 'leave-out' && { rules: async () => (await import('./skill-needs.js')).leavingOut(host, servers) }),
      explain: async (_name, command) =>
        command === undefined ? [] : new (await import('./skill-needs.js')).NeedsJudge(host, servers).notes(command),
    }),
  })
}

/**
 * A host's rules join those of the distribution: one that denies a skill does not take away what the others are
 * allowed.
 */
function rulesOf({ rules: own = {} }: DistributionParts, given: PermissionRulesOptions = {}): PermissionRulesOptions {
  // What forbids is not to be missing until the first invocation says so.
  checkOptions<PermissionRulesOptions>('rules', given, {
    allow: 1,
    alternatives: 1,
    ask: 1,
    asterisks: 1,
    deny: 1,
    fileTools: 1,
    files: 1,
    prefix: 1,
    projectAllows: 1,
    safe: 1,
    suggest: 1,
    unreadable: 1,
    wildcards: 1,
  })
  const both = (behavior: 'allow' | 'ask' | 'deny') => {
    const list = given[behavior] ?? []
    if (Array.isArray(list)) return [...list, ...(own[behavior] ?? [])]
    throw new SkillsError('E_INVALID_OPTION', `rules.${behavior} is ${JSON.stringify(list)}.`, {
      hint: 'Give a list of rules.',
    })
  }
  return { ...own, ...given, allow: both('allow'), ask: both('ask'), deny: both('deny') }
}

function permissionFrom(rules: PermissionRulesOptions, given: DistributionOptions['permission']): PermissionProvider {
  if (given !== undefined) return typeof given === 'function' ? given(rules) : given
  return onUse({ kind: 'permission', id: 'rules', needs: ['trust'] }, async host =>
    (await import('./permissions.js')).standardPermissions(host, rules),
  )
}

/** What comes from elsewhere than folders, as far as the distribution knows it and the host names any. */
function publishedPlugins(parts: DistributionParts, options: DistributionOptions): readonly Plugin[] {
  const { published, mcp, bundled, activation } = options
  const reading = readingOf(parts, options)
  const wanted = joined(parts.activation, activation)
  const active = wanted && { ...reading, ...wanted }
  const order = active?.clash === 'deepest-wins' ? -1 : 1
  return [
    ...(parts.published && published
      ? [
          onUse({ kind: 'source', id: 'plugin' }, async () =>
            (await import('@skills/source-plugin')).pluginSource({ ...reading, ...parts.published, ...published }),
          ),
        ]
      : []),
    ...(parts.mcp && mcp
      ? [
          onUse({ kind: 'source', id: 'mcp' }, async () =>
            (await import('@skills/source-mcp')).mcpSource({
              fields: reading.layout?.fields?.own,
              ...parts.mcp,
              ...mcp,
            }),
          ),
        ]
      : []),
    ...(parts.hasBundled === true && bundled !== false && (bundled ?? parts.bundledSkills) !== undefined
      ? [
          onUse({ kind: 'source', id: 'bundled' }, async () =>
            (await import('@skills/source-bundled')).bundledSource({ skills: parts.bundledSkills ?? [], ...bundled }),
          ),
        ]
      : []),
    ...(active
      ? [
          // Before the project's own, or after them, so that these keep their names.
          onUse(
            { kind: 'gate', id: 'conditional' },
            async () => (await import('@skills/activation')).activation(active)[0],
          ),
          onUse(
            { kind: 'source', id: 'nested', order },
            async () => (await import('@skills/activation')).activation(active)[1],
          ),
        ]
      : []),
  ]
}

/**
 * `undefined` keeps the default layout, which costs no call for each file. Of fields each option is put over the
 * distribution's own, too.
 */
function readingOf(
  { layout: own }: DistributionParts,
  { layout = own, sharedReads }: DistributionOptions,
): SkillReading {
  return { layout: layout && { ...own, ...layout, fields: { ...own?.fields, ...layout.fields } }, sharedReads }
}

function expanders(
  parts: DistributionParts,
  { text, shell, files }: Pick<DistributionOptions, 'text' | 'shell' | 'files'>,
): readonly Plugin[] {
  const [ran, brought] = [joined(parts.shell, shell), joined(parts.files, files)]
  return [
    onUse({ kind: 'expander', id: 'text' }, async () =>
      (await import('@skills/expander-text')).textExpander({ ...parts.text, ...text }),
    ),
    ...(parts.linksPaths === true
      ? [onUse({ kind: 'expander', id: 'links' }, async () => (await import('@skills/expander-text')).linksExpander())]
      : []),
    ...(ran
      ? [
          onUse({ kind: 'expander', id: 'shell', wants: ['shell'] }, async () =>
            (await import('@skills/expander-shell')).shellExpander(ran),
          ),
        ]
      : []),
    ...(brought
      ? [
          onUse({ kind: 'expander', id: 'files' }, async () =>
            (await import('@skills/expander-files')).filesExpander(brought),
          ),
        ]
      : []),
  ]
}

function carriers(
  parts: DistributionParts,
  { fork, hooks }: Pick<DistributionOptions, 'fork' | 'hooks'>,
): readonly Plugin[] {
  const [forked, hooked] = [joined(parts.fork, fork), joined(parts.hooks, hooks)]
  return [
    ...(forked
      ? [
          onUse(
            {
              kind: 'executor',
              id: 'fork',
              wants: ['runner', 'expander', 'hooks', 'state', 'trust', 'runs', 'tracer'],
            },
            async () => (await import('@skills/executor-fork')).forkExecutor(forked),
          ),
        ]
      : []),
    ...(hooked
      ? [
          onUse({ kind: 'hooks', id: 'command', wants: ['trust', 'source', 'gate'] }, async () =>
            (await import('@skills/hooks-command')).commandHooks(hooked),
          ),
        ]
      : []),
  ]
}

/**
 * What a distribution has and a host adjusts or switches off; what it has not, a host switches on by giving options.
 */
function joined<T extends object>(own: T | false | undefined, given: T | false | undefined): T | undefined {
  if (given === false || (given === undefined && (own === undefined || own === false))) return undefined
  return { ...(own || undefined), ...given } as T
}

function isProvider<T extends object>(given: T | Provider<'state'> | undefined): given is Provider<'state'> {
  return given !== undefined && 'setup' in given
}
