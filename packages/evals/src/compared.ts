import type { Count, Difference } from './statistics.js'

/** Results of an evaluation with which a later one is compared, by skill. */
export interface Baseline {
  readonly version: 1
  readonly model: string
  readonly skills: Readonly<Record<string, Partial<Record<Level, Count>>>>
}

/**
 * Level of an evaluation. `trigger` counts trials with the expected result; `outcome` counts assertions that held in
 * trials with the skill.
 */
export type Level = 'trigger' | 'outcome'

export interface Change {
  readonly skill: string
  readonly level: Level
  readonly now: Count
  /** Undefined if the baseline does not have the skill. */
  readonly before?: Count | undefined
  /** Rate now minus rate before. */
  readonly difference?: Difference | undefined
  /** `worse` and `better` if the interval of the difference does not contain 0. */
  readonly verdict: 'worse' | 'better' | 'same' | 'new'
  /** True if its rate is below the threshold. */
  readonly isBelow: boolean
}

export interface Comparison {
  readonly changes: readonly Change[]
  /** Skills of the baseline that were not evaluated. */
  readonly missing: readonly string[]
  /** True if a skill got worse or is below the threshold. */
  readonly failed: boolean
}
