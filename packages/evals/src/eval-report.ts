import { isJsonObject } from '@skills/files'
import type { Against } from './against.js'
import type { Comparison } from './compared.js'
import type { Outcomes } from './outcomes.js'
import type { Stale } from './recordings.js'
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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What it is not is the answer.
    return undefined
  }
  const isSound = isJsonObject(value) && value['version'] === 1 && Array.isArray(value['stale'])
  return isSound ? (value as EvalReport) : undefined
}
