import type { Catalog } from './catalog.js'
import type { Words } from './command.js'
import type { Explanation } from './explanation.js'
import type { EngineHooks, HookListener } from './hook-bus.js'
import type { Host } from './host.js'
import type { AskOptions, Kind, KindAccess, KindMethods, ProviderKinds } from './provider.js'

/** A running engine with what its kinds add. Close it when done. See docs/reference/engine.md, "The engine". */
export type Skills = Engine & KindMethods

/** What every engine has. */
export interface Engine {
  readonly host: Host
  /** Further words for `context` and `shell`, and further fields. */
  readonly words: Words
  /** Aborts at close. */
  readonly signal: AbortSignal
  /** Every command there is. Loaded once and kept until something is out of date. */
  catalog(options?: AskOptions): Promise<Catalog>
  /**
   * Forgets what was loaded, all of it or what lies at or under `paths` (absolute); the next `catalog()` loads it
   * again.
   */
  invalidate(paths?: readonly string[]): void
  /**
   * Looks whether files changed, all of them or those at or under `paths`, reads only those that did, and gives the
   * catalog.
   */
  refresh(paths?: readonly string[], options?: AskOptions): Promise<Catalog>
  /** Everything known of a name, loaded or not. */
  explain(name: string, options?: AskOptions): Promise<Explanation>
  /** The providers of a kind, for code that builds an agent. */
  use<K extends Kind>(kind: K): KindAccess<ProviderKinds[K]>
  /** Tells the listeners of an event that a package added. */
  emit<E extends keyof EngineHooks>(event: E, payload: Parameters<EngineHooks[E]>[0]): void
  /** Listens to an engine event; returns what stops it. */
  hook<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void
  /** Aborts all work and undoes every set-up, the last first. Idempotent. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
