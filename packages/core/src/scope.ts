import { abortError } from './error.js'
import type { MaybePromise } from './promise.js'

/** Undoes an effect. Called once. */
export type Effect = () => MaybePromise<void>

/** Undo functions of all effects of an engine, in the order of acquisition, across all scopes. */
export type EffectStack = Map<() => Promise<void>, Scope>

/**
 * Effects of one set-up. An effect that is acquired after the scope was aborted is undone at once, so that a late
 * set-up leaves nothing behind.
 */
export class Scope {
  readonly #controller = new AbortController()
  readonly #stack: EffectStack
  readonly #run: (label: string, undo: Effect) => Promise<void>

  /** @param run runs an undo; never fails */
  constructor(stack: EffectStack, run: (label: string, undo: Effect) => Promise<void>) {
    this.#stack = stack
    this.#run = run
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  async acquire(label: string, acquire: () => MaybePromise<Effect>): Promise<void> {
    if (this.signal.aborted) throw abortError(this.signal)
    const undo = this.keep(label, await acquire())
    if (!this.signal.aborted) return
    await undo()
    throw abortError(this.signal)
  }

  /** Keeps the undo of an effect that is in place already. Returns a function that undoes it sooner. */
  keep(label: string, undo: Effect): () => Promise<void> {
    let done: Promise<void> | undefined
    const once = (): Promise<void> => (done ??= this.#run(label, undo).finally(() => this.#stack.delete(once)))
    this.#stack.set(once, this)
    if (this.signal.aborted) void once()
    return once
  }
}

/** Undoes the effects of one scope, or of all, last-in-first-out. */
export async function undoEffects(stack: EffectStack, only?: Scope): Promise<void> {
  for (const [undo, scope] of [...stack].toReversed()) if (only === undefined || scope === only) await undo()
}
