import { HookableCore } from 'hookable'
import { messageOf } from './error.js'
import { engineProblem, type Diagnostic } from './diagnostic.js'
import type { Catalog, CatalogChange, Incomplete } from './catalog.js'

/** The figures of one load. */
export interface LoadCounts {
  /** Commands the sources gave. */
  readonly found: number
  /** Of these, how many are the same file or the same text as another. */
  readonly duplicates: number
  readonly unique: number
  readonly errors: number
  /** Commands in the catalog, by source. */
  readonly bySource: Readonly<Record<string, number>>
  /** Sources that did not finish. */
  readonly incomplete: readonly Incomplete[]
}

/**
 * The engine's own events; a listener's promise is waited for before its next event. Packages add theirs by declaration
 * merging. See docs/reference/engine.md, "Events".
 */
export interface EngineHooks {
  'sources:loading': (event: { readonly providers: readonly string[] }) => unknown
  'sources:progress': (event: { readonly provider: string; readonly done: number }) => unknown
  'sources:loaded': (event: LoadCounts) => unknown
  /**
   * Told once for each load of which something failed: how many, and where each is: its path, or the provider's id
   * where it has none.
   */
  'sources:failed': (event: { readonly count: number; readonly places: readonly string[] }) => unknown
  /** These providers reported something out of date; a listener that shows skills asks for the catalog again. */
  'sources:stale': (event: { readonly providers: readonly string[] }) => unknown
  'sources:error': (event: { readonly provider: string; readonly diagnostic: Diagnostic }) => unknown
  /** `reason`: `reload`, or the one that was given when something was reported out of date. */
  'skills:changed': (event: CatalogChange & { readonly reason: string; readonly catalog: Catalog }) => unknown
  /** A tool of the agent read or wrote these files (absolute). The host tells. */
  'file:touched': (event: { readonly paths: readonly string[] }) => unknown
}

export type HookListener<E extends keyof EngineHooks> = EngineHooks[E]

/** Tells observers, each in its own time: one that throws is reported, one that never ends holds up only itself. */
export class HookBus {
  readonly #hookable = new HookableCore()
  readonly #report: (diagnostic: Diagnostic) => void

  constructor(report: (diagnostic: Diagnostic) => void) {
    this.#report = report
  }

  /** A listener gets one event after the other, in the order they were emitted. */
  on<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void {
    let isOn = true
    const untold: (() => unknown)[] = []
    const tell = async (): Promise<void> => {
      // The emitter goes on first. Events of the same turn reach a listener together, unless the listener makes them
      // wait: a catalog that it asks for after several events knows of all of them.
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

  /** Does not wait for listeners: they cannot hold up the engine, and may call it. */
  emit<E extends keyof EngineHooks>(event: E, payload: Parameters<EngineHooks[E]>[0]): void {
    this.#hookable.callHook(event, payload)
  }
}
