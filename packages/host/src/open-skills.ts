import {
  SkillsError,
  type Diagnostic,
  type Host,
  createSkills,
  processHost,
  type AskOptions,
  type Catalog,
  type CatalogEntry,
  type Explanation,
  type Skills,
  type SkillsOptions,
} from '@skills/core'
import {
  hostOptions,
  hostShape,
  madeOptions,
  type HostOptions,
  type MadeWith,
  type NamedOptions,
} from './host-options.js'
import { hostCommands } from './local-command.js'
import type { CatalogOptions } from '@skills/core/internal'
import type { Configuration, JudgedItem } from '@skills/distributions/configuration'
import type { LoadedDistribution, StandardOptions } from '@skills/distributions/internal'
import type { MakeDistribution, Distribution } from '@skills/distributions'
import type { InvokeRequest, Outcome } from '@skills/invocation'
import type { SearchOutcome } from '@skills/invocation/internal'
import type { AgentSession } from './session.js'
import type { AgentSessionOptions, HostCall, SessionDecision } from './session/session-options.js'
import type { SessionTool } from './session/session-tools.js'

interface Finding {
  readonly report: (diagnostic: Diagnostic) => void
  readonly signal: AbortSignal | undefined
}

/** Content of the configuration files, as read for a host. */
interface HostConfiguration {
  readonly distribution: Configuration['distribution']
  readonly unagreed: readonly JudgedItem[]
  /** Merges the host's own options over those of the files. */
  over(own: Partial<StandardOptions>): Partial<StandardOptions>
}

/**
 * Reads the configuration files of the user and of the project. Entries of the project apply only if a person agreed to
 * them. Problems are passed to `report`. Rejects if the state rejects.
 */
async function configurationOf(host: Host, { report, signal }: Finding): Promise<HostConfiguration> {
  const [{ joinedOptions, loadConfiguration }, { openState }] = await Promise.all([
    import('@skills/distributions/configuration'),
    import('@skills/distributions/trust'),
  ])
  const state = openState(host, { report })
  const { options, distribution, unagreed, diagnostics } = await loadConfiguration(host, { state, signal })
  diagnostics.forEach(report)
  return { distribution, unagreed, over: own => ({ ...own, ...joinedOptions(options, own) }) }
}

/**
 * Returns the distribution of a name, a path or a package. Rejects with `E_INVALID_OPTION` if it does not exist, and
 * with `E_DENIED` if a person has not agreed to its code.
 */
async function namedDistribution(
  given: string | LoadedDistribution,
  host: Host,
  { report, signal }: Finding,
): Promise<MakeDistribution> {
  if (typeof given !== 'string') return given.make
  // The usual one is loaded without the others.
  if (given === 'standard') return (await import('@skills/distributions/standard')).standard
  const { distributionNamed, distributionNames } = await import('@skills/distributions/distribution-named')
  if (distributionNames.some(name => name === given)) return distributionNamed(given)
  const [{ loadDistribution }, { openState }] = await Promise.all([
    import('@skills/distributions/configuration'),
    import('@skills/distributions/trust'),
  ])
  const found = await loadDistribution(given, host, { state: openState(host, { report }), signal })
  if ('make' in found) return found.make
  throw new SkillsError(
    'E_DENIED',
    `The distribution "${given}" was not run, because you have not agreed to its current code: ${found.unagreed.map(({ path }) => path).join(', ')}.`,
    { hint: `Look at the code, then trust the folder: skills trust ${found.folder}` },
  )
}

export type SessionOptions = Omit<AgentSessionOptions, 'distribution'>

export type InvokeOptions = Omit<Partial<InvokeRequest>, 'name'>

/** Parts of a {@link HostSkills}. */
export interface HostParts {
  readonly distribution: SkillsOptions & Partial<Distribution>
  /** Options of a session, unless it overrides them. */
  readonly defaults: Pick<HostOptions, 'onAsk' | 'onUntrusted' | 'contextWindow' | 'effort' | 'progress'>
  readonly unagreed?: readonly JudgedItem[] | undefined
}

/** Engine with the methods that a host needs. Close it when done. See docs/reference/host.md, "The front door". */
export class HostSkills {
  /** The engine, for methods that are not offered here: `use`, `emit`, `refresh`, `invalidate`. */
  readonly engine: Skills
  readonly distribution: SkillsOptions & Partial<Distribution>
  /** Entries of the project's configuration that are ignored, because no person has agreed to them. */
  readonly unagreed: readonly JudgedItem[]
  readonly #defaults: HostParts['defaults']
  /** Session of `tools` and `authorize`, opened by their first call. */
  #own: Promise<AgentSession> | undefined

  constructor({ distribution, defaults, unagreed = [] }: HostParts) {
    this.engine = createSkills(distribution)
    this.distribution = distribution
    this.unagreed = unagreed
    this.#defaults = defaults
  }

  /** Returns every skill and command. Loaded once and kept until something changes. */
  catalog(options?: CatalogOptions): Promise<Catalog> {
    return this.engine.catalog(options)
  }

  /** Finds the skill or command of a name, as a person would type it. Undefined unless exactly one matches. */
  async find(name: string, options?: AskOptions): Promise<CatalogEntry | undefined> {
    return (await this.engine.catalog({ ...options, names: [name] })).lookup(name)
  }

  /**
   * Returns the skills that match a few words and may be listed to a model, the best first. Rejects with
   * `E_NO_PERMISSION` without a permission provider.
   * @param options.limit default: 10
   */
  async search(
    query: string,
    { limit, signal }: AskOptions & { readonly limit?: number } = {},
  ): Promise<SearchOutcome['data']> {
    const { enginePort, searchTool } = await import('@skills/invocation/skill-tool')
    const tool = await searchTool(enginePort(this.engine, this.distribution.port))
    return (await tool.call({ query, ...(limit !== undefined && { limit }) }, { signal })).data
  }

  /** Returns everything known about a name, loaded or not. */
  explain(name: string, options?: AskOptions): Promise<Explanation> {
    return this.engine.explain(name, options)
  }

  /** Runs a skill or command by its name, as a person does unless `caller` is given. Rejects as an invocation does. */
  async invoke(name: string, options: InvokeOptions = {}): Promise<Outcome> {
    const { Invoker } = await import('@skills/invocation')
    const { onAsk, onUntrusted } = this.#defaults
    const invoker = new Invoker(this.engine, { ...this.distribution.invoker, onAsk, onUntrusted })
    const request = { caller: 'user', ...options, name } as const
    if (this.engine.host.showsPaths === true) return invoker.invoke(request)
    const { errorWithTexts, outcomeWithTexts, OutgoingPaths } = await import('@skills/invocation/internal')
    const paths = new OutgoingPaths(this.engine.host)
    paths.learn(await this.engine.catalog({ signal: options.signal }))
    const tells = (text: string): string => paths.text(text)
    try {
      return outcomeWithTexts(await invoker.invoke(request), tells)
    } catch (error) {
      throw errorWithTexts(error, tells)
    }
  }

  /**
   * Opens a conversation: a new one, or the one whose `value()` is given as `restore`. Several may be open at a time.
   * Rejects as {@link AgentSession.open} does.
   */
  async session(options: SessionOptions = {}, call?: AskOptions): Promise<AgentSession> {
    const { AgentSession: Session } = await import('./session.js')
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    return Session.open(this.engine, { ...this.#defaults, ...given, distribution: this.distribution }, call)
  }

  /**
   * Returns a model's tools, for a host with one conversation. The first call opens its session. Rejects as `session`
   * does.
   */
  async tools(): Promise<readonly SessionTool[]> {
    return (await this.#ownSession()).tools()
  }

  /**
   * Decides about a call of the host's own tool, in the session of {@link HostSkills.tools}. Rejects as its `authorize`
   * does.
   */
  async authorize(call: HostCall, options?: AskOptions): Promise<SessionDecision> {
    return (await this.#ownSession()).authorize(call, options)
  }

  /** Listens to an event of the engine. Returns a function that stops it. */
  hook: Skills['hook'] = (event, listener) => this.engine.hook(event, listener)

  /** Ends the session of `tools`, aborts all work and undoes every set-up. Idempotent. */
  async close(): Promise<void> {
    try {
      // If the session could not be opened, the caller who asked for it got the error.
      await (await this.#own?.catch(() => undefined))?.end()
    } finally {
      await this.engine.close()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #ownSession(): Promise<AgentSession> {
    const opening = (this.#own ??= this.session())
    // If it could not be opened, the next caller tries again.
    opening.catch(() => {
      if (this.#own === opening) this.#own = undefined
    })
    return opening
  }
}

/**
 * Opens the front door: an engine of a distribution with sessions, tools and events as one object. Nothing is set up,
 * read or started before the first call.
 *
 *     const skills = await openSkills('standard', { cwd, onAsk })
 *
 * Rejects with `E_INVALID_OPTION` for an unknown distribution or option, with `E_DENIED` if a person has not agreed to
 * the distribution's code, and as {@link createSkills} throws.
 * @param distribution a name, a path or a package; the result of `loadDistribution()`; a function; or a distribution.
 * Default: the distribution that the configuration names, if the configuration is read; otherwise `standard`
 */
export function openSkills(distribution?: string | LoadedDistribution, options?: NamedOptions): Promise<HostSkills>
export function openSkills(distribution: SkillsOptions, options?: HostOptions): Promise<HostSkills>
export function openSkills<Own extends object>(
  distribution: (options: Own) => SkillsOptions,
  ...options: object extends MadeWith<Own> ? [options?: MadeWith<Own>] : [options: MadeWith<Own>]
): Promise<HostSkills>
export async function openSkills(
  distribution?: string | LoadedDistribution | SkillsOptions | ((options: never) => SkillsOptions),
  options: NamedOptions = {},
): Promise<HostSkills> {
  const isOurs = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(hostShape, name)
  const ours = Object.fromEntries(Object.entries(options).filter(isOurs))
  const {
    cwd,
    home,
    env,
    showsPaths,
    host: known,
    configuration,
    signal,
    onDiagnostic: told,
    commands,
    plugins: given = [],
    ...defaults
  } = hostOptions.read(ours)
  const onDiagnostic = told ?? warn
  const plugins = commands === undefined ? given : [hostCommands(commands), ...given]
  const own = {
    ...Object.fromEntries(Object.entries(options).filter(one => !isOurs(one))),
    ...(plugins.length > 0 && { plugins }),
  }
  const host = {
    ...known,
    ...(cwd !== undefined && { cwd }),
    ...(home !== undefined && { home }),
    ...(env && { env }),
    ...(showsPaths !== undefined && { showsPaths }),
  }
  if (typeof distribution === 'object' && 'plugins' in distribution) {
    madeOptions.read({ ...own, ...host })
    const made = { ...distribution, plugins: [...distribution.plugins, ...plugins] }
    return new HostSkills({ distribution: { ...made, ...(told && { onDiagnostic }) }, defaults })
  }
  const place = processHost(host)
  const files = configuration ? await configurationOf(place, { report: onDiagnostic, signal }) : undefined
  const make =
    typeof distribution === 'function'
      ? distribution
      : await namedDistribution(distribution ?? files?.distribution ?? 'standard', place, {
          report: onDiagnostic,
          signal,
        })
  // A distribution may show paths, as the program that it follows does. A host of this function has to ask for that.
  const made: unknown = make({
    ...(files?.over(own) ?? own),
    host: { ...host, showsPaths: host.showsPaths ?? false },
    onDiagnostic,
  } as never)
  if (typeof made !== 'object' || made === null || !('plugins' in made))
    throw new SkillsError('E_INVALID_OPTION', 'The "distribution" of openSkills() did not return a distribution.', {
      hint: 'Give the name of a distribution, or a function that returns a distribution.',
    })
  return new HostSkills({ distribution: made as SkillsOptions, defaults, unagreed: files?.unagreed })
}

function warn({ message, code }: Diagnostic): void {
  process.emitWarning(message, { type: 'SkillsWarning', code })
}
