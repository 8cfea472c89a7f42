import {
  checkOptions,
  processHost,
  type Host,
  type Plugin,
  type SkillsOptions,
  defineProvider,
  type Gate,
  type Provider,
  type Source,
  closestNames,
  type Diagnostic,
} from '@skills/core'
import { hostNames } from '@skills/core/internal'
import { permissionRulesOptions } from '@skills/permission-rules/options'
import { listedBy, type EnginePortOptions } from '@skills/invocation/skill-tool'
import { managedSource, type ManagedSourceOptions } from '@skills/source-managed'
import { namesServers } from './names-servers.js'
import { projectSource, type ProjectSourceOptions } from '@skills/source-project'
import { userRoots, userSource, type UserSourceOptions } from '@skills/source-user'
import {
  parts,
  type Around,
  type OptionsOf,
  type Part,
  type PartName,
  type SkillReading,
  distributionKinds,
  withReplacements,
  type Single,
} from './parts.js'
import type { Layout } from '@skills/files/source'
import type { Collision } from '@skills/core'
import type { ProgramListing } from '@skills/invocation/internal'
import type { ProgramNeeds } from './skill-needs.js'
import type { Checked, Distribution, DistributionOptions, HostParts, Traces } from './distribution.js'

/** Options of the sources of folders, which are read with the first list. */
interface FolderOptions {
  readonly managed: ManagedSourceOptions
  readonly user: UserSourceOptions
  readonly project: Omit<ProjectSourceOptions, 'additional' | 'linksTo'>
}

type RowOf<N, O> = readonly [name: N] | readonly [name: N, options: O]

type NamedRow =
  | { [N in PartName]: RowOf<N, Partial<OptionsOf<N>>> }[PartName]
  | {
      [N in keyof FolderOptions]: RowOf<N, FolderOptions[N] | ((reading: SkillReading) => FolderOptions[N])>
    }[keyof FolderOptions]

/**
 * Row of a distribution: the name of a part with its options; a function that makes sources and is called with the
 * shared options for reading files; or a provider that replaces the part with the same kind and id.
 */
export type Row =
  | NamedRow
  | ((reading: SkillReading, allowed: (host: Host) => readonly string[]) => Plugin | readonly Plugin[])
  | Single

/** Distribution as data: a list of parts with options, and the options of the engine and the host. */
export interface Definition<Own extends object = object>
  extends
    Required<Pick<SkillsOptions, 'precedence'>>,
    Pick<SkillsOptions, 'identityOf' | 'qualifyLosers' | 'tellsCaseTwins' | 'sharesDisplayNames' | 'warningsOf'>,
    Partial<HostParts> {
  readonly name: string
  /** Released program that it follows. */
  readonly checked?: Checked | undefined
  /**
   * True if the text for a model has absolute paths as the followed program gives them, unless the host says otherwise.
   * Default: true if a released program is followed.
   */
  readonly showsPaths?: boolean | undefined
  /** Traces of the program on a machine. Default: it is not searched for. */
  readonly traces?: Traces | undefined
  /** Text in the table of distributions, after the program and its version. */
  readonly says: string
  /** Names of options that only this distribution has. */
  readonly own?: { readonly [N in keyof Own]-?: 1 }
  /** How its folders are walked and its files read. Default: the sources' own layout. */
  readonly layout?: Layout | undefined
  /**
   * Facts about the program's listing, recorded with the version in `checked`. They count in statements about the
   * program, not in the listing of an engine, which has none of the program's own skills.
   */
  readonly ofProgram?: ProgramListing | ((host: Host) => ProgramListing) | undefined
  /** Default: false. */
  readonly leavesOutDenied?: EnginePortOptions['leavesOutDenied']
  /** Treatment of skills whose needs are not met. Default: `tell`. */
  readonly unmetNeeds?: DistributionOptions['unmetNeeds']
  /** Reads the settings of the followed program that skills can need. */
  readonly programNeeds?: ((host: Host) => ProgramNeeds) | undefined
  readonly plugins:
    | readonly Row[]
    | ((options: Own & Pick<DistributionOptions, 'managed' | 'listing'> & { readonly host: Host }) => readonly Row[])
}

/**
 * Function that makes a distribution with the options of a host. Its properties `checked` and `says` are the entry in
 * the table of distributions.
 */
export interface DefinedDistribution<Own extends object = object> extends Pick<
  Definition,
  'checked' | 'says' | 'traces'
> {
  (options: DistributionOptions & Own): Distribution
}

/** Makes a distribution from its definition. Options of a host replace those of its parts, by name. */
export function defineDistribution<Own extends object = object>(definition: Definition<Own>): DefinedDistribution<Own> {
  const { checked, says, traces } = definition
  return Object.assign((options: DistributionOptions & Own) => distributionOf(definition, options), {
    checked,
    says,
    traces,
  })
}

const engineOptions = {
  fields: 1,
  kinds: 1,
  sourceLimitMs: 1,
  onDiagnostic: 1,
  precedence: 1,
  qualifyLosers: 1,
  identityOf: 1,
  warningsOf: 1,
  tellsCaseTwins: 1,
  sharesDisplayNames: 1,
  overrides: 1,
} as const satisfies Record<Exclude<keyof SkillsOptions, 'plugins' | 'host'>, 1>

/** Names of the options that every distribution has. */
const optionNames = {
  host: 1,
  additional: 1,
  linksTo: 1,
  unmetNeeds: 1,
  managed: 1,
  layout: 1,
  sharedReads: 1,
  permission: 1,
  plugins: 1,
  ...engineOptions,
  ...(Object.fromEntries(Object.entries(parts).flatMap(([name, { has }]) => (has === 'listed' ? [] : [[name, 1]]))) as {
    readonly [N in PartName]: 1
  }),
  tool: 1,
  invoker: 1,
  visibility: 1,
} as const

/** Names of options inside those, as hosts mistake them for options of a distribution. */
const nestedNames = { host: hostNames, rules: Object.keys(permissionRulesOptions.shape) }

function distributionOf<Own extends object>(
  definition: Definition<Own>,
  options: DistributionOptions & Own,
): Distribution {
  const { name, precedence, leavesOutDenied = false, ofProgram } = definition
  checkOptions<DistributionOptions>(
    `Distribution "${name}"`,
    options,
    { ...definition.own, ...optionNames },
    nestedNames,
  )
  const { showsPaths = definition.checked !== undefined } = definition
  const host = processHost(options.host)
  if (showsPaths && host.showsPaths === undefined) Object.assign(host, { showsPaths })
  const rows = typeof definition.plugins === 'function' ? definition.plugins({ ...options, host }) : definition.plugins
  const reading = readingOf(definition.layout, options)
  const resolved = resolvedParts(rows, options)
  const { tool, invoker } = definition
  const visibility = { ...definition.visibility, ...options.visibility }
  const misspelt = misspeltPrecedence(options.precedence, precedence)
  return {
    name,
    precedence,
    qualifyLosers: definition.qualifyLosers ?? false,
    ...(definition.tellsCaseTwins && { tellsCaseTwins: true }),
    ...(definition.sharesDisplayNames && { sharesDisplayNames: true }),
    ...(definition.identityOf && { identityOf: definition.identityOf }),
    warningsOf: collisions => [...misspelt, ...alikeNames(collisions), ...(definition.warningsOf?.(collisions) ?? [])],
    ...engineOptionsIn(options),
    host,
    kinds: [...distributionKinds, ...(options.kinds ?? [])],
    tool: { suggests: false, ...tool, ...options.tool },
    port: { isListed: listedBy(visibility), leavesOutDenied },
    invoker: { ...invoker, ...options.invoker },
    visibility,
    inline: resolved.inline ?? {},
    shell: resolved.shell ?? false,
    fork: resolved.fork ?? false,
    listing: resolved.listing ?? {},
    ...(ofProgram && { ofProgram: typeof ofProgram === 'function' ? ofProgram(host) : ofProgram }),
    plugins: withReplacements(
      [
        ...foldersOf(rows, precedence.includes('additional'), reading, options),
        ...pluginsOf(resolved, options, { reading, managedDirs: options.managed?.dirs, published: resolved.published }),
        needsGate(
          options.unmetNeeds ?? definition.unmetNeeds,
          definition.programNeeds,
          options.mcp && !namesServers(resolved.published ?? {}) ? Object.keys(options.mcp.servers) : undefined,
        ),
      ],
      [...rows.filter(isProvider), ...(options.plugins ?? [])],
    ),
  }
}

function engineOptionsIn(options: DistributionOptions): Pick<DistributionOptions, keyof typeof engineOptions> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(engineOptions, name))) as Pick<
    DistributionOptions,
    keyof typeof engineOptions
  >
}

type Resolved = { readonly [N in PartName]?: OptionsOf<N> }

/** Returns the options of each part that this distribution has. */
function resolvedParts(rows: readonly Row[], options: DistributionOptions): Resolved {
  const listed = new Map<string, unknown>(rows.flatMap(row => (isNamed(row) ? [[row[0], row[1] ?? {}]] : [])))
  const given: Readonly<Record<string, unknown>> = { ...options }
  const resolved: Record<string, object> = {}
  for (const [name, { has, over = spread }] of Object.entries<Part>(parts)) {
    const own = listed.get(name) as object | undefined
    const more = has === 'listed' ? undefined : (given[name] as object | false | undefined)
    const isThere = {
      always: true,
      switched: more !== false && (own ?? more) !== undefined,
      named: own !== undefined && more !== false && (more !== undefined || 'installed' in own),
      brought: own !== undefined && more !== false && (more !== undefined || Object.keys(own).length > 0),
      listed: own !== undefined,
    }
    if (isThere[has]) resolved[name] = over(own ?? {}, more || {})
  }
  return resolved
}

const spread = (own: object, given: object): object => ({ ...own, ...given })

/** Returns the plugins of the parts, except those that a host provides itself. */
function pluginsOf(resolved: Resolved, { state, permission }: DistributionOptions, around: Around): readonly Plugin[] {
  return Object.entries<Part>(parts).flatMap(([name, { plugin }]): readonly Plugin[] => {
    const options = resolved[name as PartName]
    if (options === undefined) return []
    if (name === 'state' && state !== undefined && 'setup' in state) return [state]
    if (name === 'rules' && permission !== undefined)
      return [typeof permission === 'function' ? permission(options as OptionsOf<'rules'>) : permission]
    return [plugin(options, around)]
  })
}

/** Returns the sources of folders, and the policy of the machine's administrator, which every distribution applies. */
function foldersOf(
  rows: readonly Row[],
  hasAdditional: boolean,
  reading: SkillReading,
  { managed, additional, linksTo = [] }: DistributionOptions,
): readonly Plugin[] {
  const read = <O extends object>(own: O | ((how: SkillReading) => O) | undefined): O & SkillReading => ({
    ...reading,
    ...((typeof own === 'function' ? own(reading) : own) as O),
  })
  const roots = rows.flatMap(row => (isNamed(row) && row[0] === 'user' ? [userRoots(read(row[1]).folders)] : []))
  const allowed = (host: Host): readonly string[] => linksTo.map(one => one.replace(/^~(?=\/|$)/, host.home))
  const inProject = {
    ...(hasAdditional && additional && { additional }),
    // Links may lead into the user's folders of skills, and into folders that a host allows.
    linksTo: (host: Host): readonly string[] => [...roots.flatMap(rootsOf => rootsOf(host)), ...allowed(host)],
  }
  const made = rows.flatMap((row): readonly Plugin[] => {
    if (typeof row === 'function') return [row(reading, allowed)].flat()
    if (!isNamed(row)) return []
    if (row[0] === 'managed') return managedSource({ ...read(row[1]), ...managed })
    if (row[0] === 'user') return [userSource(read(row[1]))]
    return row[0] === 'project' ? [projectSource({ ...inProject, ...read(row[1]) })] : []
  })
  const hasManaged = rows.some(row => isNamed(row) && row[0] === 'managed')
  return hasManaged || managed === undefined ? made : [managedSource(managed)[1], ...made]
}

/**
 * Combines the layouts. `undefined` keeps the default layout, which needs no call for each file. Fields are merged one
 * by one.
 */
function readingOf(own: Layout | undefined, { layout = own, sharedReads }: DistributionOptions): SkillReading {
  return { layout: layout && { ...own, ...layout, fields: { ...own?.fields, ...layout.fields } }, sharedReads }
}

function isNamed(row: Row): row is NamedRow {
  return Array.isArray(row)
}

function isProvider(row: Row): row is Single {
  return typeof row === 'object' && 'setup' in row
}

/**
 * Makes the gate that reports unmet needs of skills, or leaves these skills out. The code that judges them is loaded on
 * use.
 * @param servers names of the configured MCP servers; undefined if they are unknown
 */
function needsGate(
  unmet: 'tell' | 'leave-out' | undefined,
  program: Definition['programNeeds'],
  servers: readonly string[] | undefined,
): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'needs',
    setup: ({ host }): Gate & Pick<Source, 'explain'> => ({
      ...(unmet === 'leave-out' && {
        rules: async () => (await import('./skill-needs.js')).leavingOut(host, servers, program?.(host)),
      }),
      explain: async (_name, command) =>
        command === undefined
          ? []
          : new (await import('./skill-needs.js')).NeedsJudge(host, servers, program?.(host)).notes(command),
    }),
  })
}

/**
 * Returns a warning for each word in a host's precedence that looks like a misspelt name of one of the distribution's
 * sources. Names of other sources are allowed.
 */
function misspeltPrecedence(given: readonly string[] = [], own: readonly string[]): readonly Diagnostic[] {
  const missing = own.filter(word => !given.includes(word))
  return given
    .filter(word => !own.includes(word))
    .flatMap(word =>
      closestNames(word, missing, 1).map(close => ({
        severity: 'warning',
        type: 'validation',
        code: 'unknown-precedence',
        name: word,
        message: `The precedence names "${word}". Did you mean "${close}"? "${word}" has an effect only if a source has that name.`,
      })),
    )
}

/**
 * Returns a warning for each two names that differ, but are the same in Unicode's composed form. They look alike and
 * are two folders on a disk.
 */
function alikeNames(collisions: readonly Collision[]): readonly Diagnostic[] {
  return collisions
    .filter(
      ({ winner: { command: one }, loser: { command: other } }) =>
        one.name !== other.name && one.name.normalize() === other.name.normalize(),
    )
    .map(({ name, winner, loser: { command, provider } }) => ({
      severity: 'warning',
      type: 'validation',
      code: 'same-name',
      name,
      provider,
      ...(command.type === 'prompt' && command.filePath !== undefined && { path: command.filePath }),
      message: `"${spelled(command.name)}" and "${spelled(winner.command.name)}" look alike and are treated as one name.`,
      hint: 'Rename one of the two commands.',
    }))
}

/** Returns a name with its invisible differences as escapes. */
function spelled(name: string): string {
  return name.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
