import type { Count, Difference } from './statistics.js'

/** The shares that two reports are compared by, by skill. */
export interface Baseline {
  readonly version: 1
  readonly model: string
  readonly skills: Readonly<Record<string, Partial<Record<Level, Count>>>>
}

/** `trigger`: trials that did as they should. `outcome`: assertions that held with the skill. */
export type Level = 'trigger' | 'outcome'

export interface Change {
  readonly skill: string
  readonly level: Level
  readonly now: Count
  /** Undefined of a skill that the baseline does not have. */
  readonly before?: Count | undefined
  /** Now less before. */
  readonly difference?: Difference | undefined
  /** `worse`, `better`: beyond the interval of the difference. */
  readonly verdict: 'worse' | 'better' | 'same' | 'new'
  /** Whether its share lies below the threshold. */
  readonly isBelow: boolean
}

export interface Comparison {
  readonly changes: readonly Change[]
  /** Skills of the baseline that were not evaluated. */
  readonly missing: readonly string[]
  /** Whether a skill got worse, or lies below the threshold. */
  readonly failed: boolean
}
