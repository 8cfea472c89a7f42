import type { Lack } from './fixture.js'
import type { Trial } from './trial.js'

/** A rule that every source keeps. */
export interface SourceRule {
  readonly name: string
  readonly rule: string
  /** The rule does not apply to a source that does without any of these. */
  readonly needs?: readonly Lack[]
  check(trial: Trial): Promise<void>
}
