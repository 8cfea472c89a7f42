import type { AskOptions, Catalog, CatalogEntry, MaybePromise } from '@skills/core'
import type { Invocation, Outcome, PermissionDecision, PermissionRequest } from '@skills/invocation'
import type { Listing, ListingContext } from './formatter.js'

/** Whether a model may invoke a skill. */
export type ModelQuestion = Pick<PermissionRequest, 'tool' | 'content' | 'entry' | 'args'> & { readonly caller: 'model' }

export interface ModelRequest extends Pick<Invocation, 'args'>, Partial<Pick<Invocation, 'agentId' | 'toolUseId' | 'depth'>> {
  /** As the catalog, or {@link EnginePort.remote}, has it. */
  readonly name: string
  readonly caller: 'model'
  readonly signal?: AbortSignal | undefined
}

/** What the tool needs of whatever carries skills out. */
export interface EnginePort {
  catalog(options?: AskOptions): Promise<Catalog>
  /** What the model may be told of. The very object of before says that nothing changed. */
  listing(context: ListingContext, options?: AskOptions): Promise<Listing>
  /** What would be decided, without asking anybody. */
  permission(question: ModelQuestion, options?: AskOptions): Promise<PermissionDecision>
  invoke(request: ModelRequest): Promise<Outcome>
  /** Why a model may not invoke a skill yet: one sentence that names the condition. */
  whyInactive?(entry: CatalogEntry): MaybePromise<string | undefined>
  /** The skill of a `_canonical_<slug>`, looked for before the catalog; undefined when there is none. */
  remote?(slug: string, options?: AskOptions): MaybePromise<CatalogEntry | undefined>
}
