import type { Engine } from './engine.js'
import type { GateRules } from './gate.js'
import type { Kind, KindMethods } from './provider.js'
import type { SkillsError } from './error.js'

export interface KindRules {
  /** Number of providers that may register: one at most, or any number. */
  readonly arity: 'one' | 'many'
  /**
   * Policy for a failing provider. `isolate`: its answer is missing and a diagnostic says why. `throw`: the caller gets
   * its own `SkillsError`, else an `E_PROVIDER_FAILED` or `E_TIMEOUT`. `closed`: the caller gets this safe answer, and
   * a diagnostic says why.
   */
  readonly onFailure: 'isolate' | 'throw' | { readonly closed: (error: SkillsError) => unknown }
  /**
   * Versions of the kind's interface that this engine supports, as whole numbers. The types describe the last. Default:
   * 1.
   */
  readonly contracts?: readonly number[]
  /** Milliseconds that a provider may take for its set-up, for each answer, and to undo each effect. */
  readonly limitMs: number
  /**
   * Returns methods that the kind adds to an engine; they cannot replace the engine's own. Called once, when the engine
   * is made.
   */
  readonly methods?: (engine: Engine) => Partial<KindMethods>
}

export interface KindDefinition<K extends Kind = Kind> extends KindRules {
  readonly kind: K
}

/** Defines a kind. The kind decides what a failure does, never the caller. See docs/reference/kinds.md, "Kinds". */
/* @__NO_SIDE_EFFECTS__ */
export const defineKind = <K extends Kind>(kind: K, rules: KindRules): KindDefinition<K> => ({ kind, ...rules })

/** Sources. They are isolated: a failing one loses only its own commands. */
export const sourceKind = defineKind('source', { arity: 'many', onFailure: 'isolate', limitMs: 10_000 })

/** Gates. A failing one lets nothing through. */
export const gateKind = defineKind('gate', {
  arity: 'many',
  limitMs: 10_000,
  onFailure: { closed: ({ message }): GateRules => ({ source: () => message, command: () => message }) },
})

/** Renderer. A failure throws to the caller that invokes the command. It has no time limit: a person may be reading. */
export const rendererKind = defineKind('renderer', { arity: 'one', limitMs: Infinity, onFailure: 'throw' })

export const ownKinds: readonly KindDefinition[] = [sourceKind, gateKind, rendererKind]
