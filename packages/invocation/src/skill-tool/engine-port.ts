import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import { Invoker, type InvokeRequest } from '../invoker.js'
import { OutgoingPaths } from '../outgoing-paths.js'
import { Listings, type ListingsOptions } from './listings.js'
import type { AskOptions, Catalog, CatalogEntry, MaybePromise, Skills } from '@skills/core'
import type { CatalogOptions, LargeCommands } from '@skills/core/internal'
import type { OnAsk } from '@skills/rules'
import type { Outcome } from '../executor.js'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'
import type { Listing, ListingContext } from './formatter.js'

/** Question whether a model may invoke a skill. */
export type ModelQuestion = Pick<PermissionRequest, 'tool' | 'content' | 'entry' | 'args' | 'sessionId'> & {
  readonly caller: 'model'
}

/** Request with a name from the catalog or from {@link EnginePort.remote}. */
export interface ModelRequest extends InvokeRequest {
  readonly caller: 'model'
}

export interface PermissionOptions extends AskOptions {
  /** True if a person is asked next: a question whose yes would not count becomes a denial at once. Default: false. */
  readonly isBeforeAsking?: boolean | undefined
}

/** Functions of the engine and its invoker that the tool calls. */
export interface EnginePort {
  catalog(options?: CatalogOptions): Promise<Catalog>
  /** Returns the commands of large sources; undefined if there are none. Default: there are none. */
  large?(options: AskOptions): Promise<LargeCommands | undefined>
  /** Returns the skills to list to the model. The same object as before means that nothing changed. */
  listing(context: ListingContext, options?: AskOptions): Promise<Listing>
  /** Decides by the rules, without asking a person. */
  permission(question: ModelQuestion, options?: PermissionOptions): Promise<PermissionDecision>
  invoke(request: ModelRequest): Promise<Outcome>
  /** True for entries that a model may be told of. Default: see {@link Listings}. */
  readonly isListed?: ListingsOptions['isListed']
  /**
   * True if the model was told the name of this entry for another skill. The tool then refuses the name. Default: never.
   */
  isUntold?(entry: CatalogEntry): boolean
  /** Changes a text before a model or a client gets it. Default: it is given as it is. */
  readonly tells?: ((text: string) => string) | undefined
  /** Finds the skill of `_canonical_<slug>` before the catalog is asked; undefined if there is none. */
  remote?(slug: string, options?: AskOptions): MaybePromise<CatalogEntry | undefined>
}

const enginePortOptions = s.options('enginePort()', {
  /**
   * Invoker to run the invocations. A host that invokes commands of its user has one already. Default: a new one that
   * asks `onAsk`.
   */
  invoker: s.typed<Invoker>('an invoker'),
  /** Asked when no rule decides, if there is no `invoker`. Default: no one, so the call is denied. */
  onAsk: s.fn<OnAsk>(),
  /** Default: see {@link Listings}. */
  isListed: s.fn<NonNullable<ListingsOptions['isListed']>>(),
  /** True if skills that a rule denies are left out of the listing; `agents`: only of the listing of a named agent. */
  leavesOutDenied: s.either(s.flag(), s.oneOf('agents')).default(true),
  remote: s.fn<NonNullable<EnginePort['remote']>>(),
})

export interface EnginePortOptions extends s.OptionsOf<typeof enginePortOptions> {}

const none: ReadonlySet<CatalogEntry> = new Set()

/** Makes the port of an engine. See docs/reference/listing.md, "The Skill tool". */
export function enginePort(skills: Skills, given?: EnginePortOptions): EnginePort {
  const {
    onAsk,
    invoker = new Invoker(skills, { onAsk }),
    isListed,
    leavesOutDenied,
    remote,
  } = enginePortOptions.read(given)
  const listings = new Listings(skills, {
    ...(isListed && { isListed }),
    ...(leavesOutDenied !== false && {
      denied: async (entries: readonly CatalogEntry[], { signal }: AskOptions, { agentId }: ListingContext) => {
        if (leavesOutDenied === 'agents' && agentId === undefined) return none
        const denied: unknown = await skills
          .use('permission')
          .first((permission, call) => permission.denied?.(entries, call), { signal })
        // A failing provider denies the invocation later, so the listing may keep the entries.
        return denied instanceof Set ? (denied as ReadonlySet<CatalogEntry>) : none
      },
    }),
  })
  const paths = skills.host.showsPaths === true ? undefined : new OutgoingPaths(skills.host)
  return {
    async catalog(asking) {
      const catalog = await skills.catalog(asking)
      paths?.learn(catalog)
      return catalog
    },
    async listing(context, asking) {
      const listing = await listings.listing(context, asking)
      paths?.learn(await skills.catalog(asking))
      return listing
    },
    large: asking => skills.large(asking),
    permission: (question, { signal, isBeforeAsking = false } = {}) =>
      isBeforeAsking ? invoker.decideBeforeAsking(question, signal) : invoker.decide(question, signal),
    invoke: request => invoker.invoke(request),
    ...(paths && { tells: (text: string) => paths.text(text) }),
    ...(isListed && { isListed }),
    ...(remote && { remote }),
  }
}

/**
 * Throws if a port lacks a method, for example because the caller passed an engine by mistake. The error is then thrown
 * at once, and not at a model's first call.
 */
export function checkPort(what: string, port: unknown, methods: readonly (keyof EnginePort)[]): void {
  const missing = methods.find(
    method => typeof (port as Partial<EnginePort> | null | undefined)?.[method] !== 'function',
  )
  if (missing === undefined) return
  throw new SkillsError('E_INVALID_OPTION', `${what} was given an object without ${missing}().`, {
    hint: 'Pass enginePort(skills), or enginePort(skills, { invoker }).',
  })
}
