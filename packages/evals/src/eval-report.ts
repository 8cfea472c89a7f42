import { Validator } from '@cfworker/json-schema'
import { reportSchema } from './report-schema.js'
import type { Against } from './against.js'
import type { Comparison } from './compared.js'
import type { Outcomes } from './outcomes.js'
import { objectIn, type Stale } from './recordings.js'
import type { Triggers } from './triggers.js'

/** All that one evaluation with a model found: what `skills eval --json` prints. */
export interface EvalReport {
  readonly version: 1
  readonly model: string
  readonly triggers?: Triggers | undefined
  readonly outcomes?: Outcomes | undefined
  readonly against?: Against | undefined
  readonly comparison?: Comparison | undefined
  /** Queries and tasks that are to be recorded again. */
  readonly stale: readonly Stale[]
  /** Dollars; undefined where no price is known. */
  readonly cost: number | undefined
}

/** A report out of its text, which this version wrote; undefined for what is none. */
export function readReport(text: string): EvalReport | undefined {
  const value: unknown = objectIn(text) ?? null
  return new Validator(reportSchema, '2020-12').validate(value).valid ? (value as EvalReport) : undefined
}
