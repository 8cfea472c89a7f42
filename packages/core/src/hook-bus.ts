import { HookableCore } from 'hookable'
import { messageOf } from './error.js'
import { engineProblem, type Diagnostic } from './diagnostic.js'
import type { Catalog, CatalogChange, Incomplete } from './catalog.js'

/** Counts of one load. */
export interface LoadCounts {
  /** Number of commands that the sources returned. */
  readonly found: number
  /** Number of those that are the same file or the same text as another. */
  readonly duplicates: number
  readonly unique: number
  readonly errors: number
  /** Number of commands in the catalog, by source. */
  readonly bySource: Readonly<Record<string, number>>
  /** Sources that did not finish. */
  readonly incomplete: readonly Incomplete[]
}

/**
 * Events of the engine. If a listener returns a promise, the listener gets its next event after the promise has
 * settled. Packages add their own events by declaration merging. See docs/reference/engine.md, "Events".
 */
export interface EngineHooks {
  'sources:loading': (event: { readonly providers: readonly string[] }) => unknown
  'sources:progress': (event: { readonly provider: string; readonly done: number }) => unknown
  'sources:loaded': (event: LoadCounts) => unknown
  /**
   * Emitted once for each load with failures: their number and places. A place is a path, or the provider's id if there
   * is no path.
   */
  'sources:failed': (event: { readonly count: number; readonly places: readonly string[] }) => unknown
  /** These providers reported something out of date. A listener that shows skills asks for the catalog again. */
  'sources:stale': (event: { readonly providers: readonly string[] }) => unknown
  'sources:error': (event: { readonly provider: string; readonly diagnostic: Diagnostic }) => unknown
  /** `reason`: `reload`, or the reason that was given to `invalidate`. */
  'skills:changed': (event: CatalogChange & { readonly reason: string; readonly catalog: Catalog }) => unknown
  /** A tool of the agent read or wrote these files (absolute). The host emits it. */
  'file:touched': (event: { readonly paths: readonly string[] }) => unknown
}

export type HookListener<E extends keyof EngineHooks> = EngineHooks[E]

/**
 * Calls listeners independently of each other. A listener that throws is reported; a listener that never ends delays
 * only its own later events.
 */
export class HookBus {
  readonly #hookable = new HookableCore()
  readonly #report: (diagnostic: Diagnostic) => void

  constructor(report: (diagnostic: Diagnostic) => void) {
    this.#report = report
  }

  /** Adds a listener. It gets one event after the other, in the order in which they were emitted. */
  on<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void {
    let isOn = true
    const untold: (() => unknown)[] = []
    const tell = async (): Promise<void> => {
      // The emitter continues first. Events of one turn reach a listener together, unless it delays them: a catalog
      // that it then asks for knows of all of them.
      await undefined
      for (const hear of untold) {
        try {
          const told = isOn ? hear() : undefined
          if (told instanceof Promise) await told
        } catch (error) {
          this.#report(
            engineProblem('warning', 'listener-failed', `A listener of "${event}" failed: ${messageOf(error)}`),
          )
        }
      }
      untold.length = 0
    }
    const stop = this.#hookable.hook(event, payload => {
      if (untold.push(() => listener(payload)) === 1) void tell()
    })
    return () => {
      isOn = false
      stop()
    }
  }

  /** Emits an event without waiting for listeners: they cannot delay the engine, and may call it. */
  emit<E extends keyof EngineHooks>(event: E, payload: Parameters<EngineHooks[E]>[0]): void {
    this.#hookable.callHook(event, payload)
  }
}
