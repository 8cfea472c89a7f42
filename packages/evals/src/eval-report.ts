import { Validator } from '@cfworker/json-schema'
import { reportSchema } from './report-schema.js'
import type { Against } from './against.js'
import type { Comparison } from './compared.js'
import type { Outcomes } from './outcomes.js'
import { objectIn, type Stale } from './recordings.js'
import type { Triggers } from './triggers.js'

/** Result of one evaluation with a model. `skills eval --json` prints it. */
export interface EvalReport {
  readonly version: 1
  readonly model: string
  readonly triggers?: Triggers | undefined
  readonly outcomes?: Outcomes | undefined
  readonly against?: Against | undefined
  readonly comparison?: Comparison | undefined
  /** Queries and tasks that have to be recorded again. */
  readonly stale: readonly Stale[]
  /** Dollars, or undefined without a price. */
  readonly cost: number | undefined
}

/** Reads a report of this version from its text. Returns undefined if the text is not a report. */
export function readReport(text: string): EvalReport | undefined {
  const value: unknown = objectIn(text) ?? null
  return new Validator(reportSchema, '2020-12').validate(value).valid ? (value as EvalReport) : undefined
}
