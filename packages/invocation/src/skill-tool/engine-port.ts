import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import { Invoker, type InvokeRequest } from '../invoker.js'
import { Listings, type ListingsOptions } from './listings.js'
import type { AskOptions, Catalog, CatalogEntry, MaybePromise, Skills } from '@skills/core'
import type { OnAsk } from '@skills/rules'
import type { Outcome } from '../executor.js'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'
import type { Listing, ListingContext } from './formatter.js'

/** Whether a model may invoke a skill. */
export type ModelQuestion = Pick<PermissionRequest, 'tool' | 'content' | 'entry' | 'args' | 'sessionId'> & {
  readonly caller: 'model'
}

/** With the name as the catalog, or {@link EnginePort.remote}, has it. */
export interface ModelRequest extends InvokeRequest {
  readonly caller: 'model'
}

export interface PermissionOptions extends AskOptions {
  /**
   * Whether a person is asked next: then a question whose answer would not count is a denial already. Default: false.
   */
  readonly isBeforeAsking?: boolean | undefined
}

/** What the tool needs of the engine and its invoker. */
export interface EnginePort {
  catalog(options?: AskOptions): Promise<Catalog>
  /** What the model may be told of. The very object of before says that nothing changed. */
  listing(context: ListingContext, options?: AskOptions): Promise<Listing>
  /** What would be decided, without asking a person. */
  permission(question: ModelQuestion, options?: PermissionOptions): Promise<PermissionDecision>
  invoke(request: ModelRequest): Promise<Outcome>
  /** What a model may be told of. Default: as {@link Listings} has it. */
  readonly isListed?: ListingsOptions['isListed']
  /** The skill of a `_canonical_<slug>`, looked for before the catalog; undefined when there is none. */
  remote?(slug: string, options?: AskOptions): MaybePromise<CatalogEntry | undefined>
}

const enginePortOptions = s.options('enginePort()', {
  /**
   * Runs the invocations; a host that invokes commands of its user has one already. Default: a new one that asks
   * `onAsk`.
   */
  invoker: s.typed<Invoker>('an invoker'),
  /** Asked when no rule decides, where there is no `invoker`. Default: no one, which denies. */
  onAsk: s.fn<OnAsk>(),
  /** Default: as {@link Listings} has it. */
  isListed: s.fn<NonNullable<ListingsOptions['isListed']>>(),
  /**
   * Whether a skill that a rule denies is left out of the listing; `agents`: of that of an agent that is named.
   */
  leavesOutDenied: s.either(s.flag(), s.oneOf('agents')).default(true),
  remote: s.fn<NonNullable<EnginePort['remote']>>(),
})

export interface EnginePortOptions extends s.OptionsOf<typeof enginePortOptions> {}

const none: ReadonlySet<CatalogEntry> = new Set()

/** The port over an engine. See docs/reference/listing.md, "The Skill tool". */
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
        // A provider that fails denies what is asked of it; what is listed all the same is refused then.
        return denied instanceof Set ? (denied as ReadonlySet<CatalogEntry>) : none
      },
    }),
  })
  return {
    catalog: asking => skills.catalog(asking),
    listing: (context, asking) => listings.listing(context, asking),
    permission: (question, { signal, isBeforeAsking = false } = {}) =>
      isBeforeAsking ? invoker.decideBeforeAsking(question, signal) : invoker.decide(question, signal),
    invoke: request => invoker.invoke(request),
    ...(isListed && { isListed }),
    ...(remote && { remote }),
  }
}

/** An engine by itself has no way to invoke anything: refused at once, rather than at the first call of a model. */
export function checkPort(what: string, port: unknown, methods: readonly (keyof EnginePort)[]): void {
  const missing = methods.find(
    method => typeof (port as Partial<EnginePort> | null | undefined)?.[method] !== 'function',
  )
  if (missing === undefined) return
  throw new SkillsError('E_INVALID_OPTION', `${what} was given something without ${missing}().`, {
    hint: 'Give it enginePort(skills), or enginePort(skills, { invoker }).',
  })
}
