import type { Catalog } from './catalog.js'
import type { Words } from './command.js'
import type { Explanation } from './explanation.js'
import type { EngineHooks, HookListener } from './hook-bus.js'
import type { Host } from './host.js'
import type { AskOptions, Kind, KindAccess, KindMethods, ProviderKinds } from './provider.js'

/**
 * Running engine with the methods that its kinds add. Close it when done. See docs/reference/engine.md, "The engine".
 */
export type Skills = Engine & KindMethods

/** Methods of every engine. */
export interface Engine {
  readonly host: Host
  /** Further values of `context` and `shell`, and further fields. */
  readonly words: Words
  /** Signal that aborts at close. */
  readonly signal: AbortSignal
  /** Returns all commands. They are loaded once and kept until something is out of date. */
  catalog(options?: AskOptions): Promise<Catalog>
  /**
   * Forgets what was loaded, all of it or what is at or under `paths` (absolute). The next `catalog()` loads it again.
   */
  invalidate(paths?: readonly string[]): void
  /** Checks which files changed, of all or of those at or under `paths`, reads only those, and returns the catalog. */
  refresh(paths?: readonly string[], options?: AskOptions): Promise<Catalog>
  /** Returns everything known of a name, loaded or not. */
  explain(name: string, options?: AskOptions): Promise<Explanation>
  /** Returns the providers of a kind, for code that builds an agent. */
  use<K extends Kind>(kind: K): KindAccess<ProviderKinds[K]>
  /** Emits an event that a package added to its listeners. */
  emit<E extends keyof EngineHooks>(event: E, payload: Parameters<EngineHooks[E]>[0]): void
  /** Listens to an engine event; returns a function that stops it. */
  hook<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void
  /** Aborts all work and undoes every set-up, the last first. Idempotent. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
