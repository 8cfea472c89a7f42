import type { TextValues, TrialValues } from './assertion-kinds.js'

/** File that exists when a trial begins. */
export interface EvalFile {
  /** Path relative to the workspace, with forward slashes. */
  readonly path: string
  /** Content. Undefined if the file is copied from the skill's folder. */
  readonly text?: string | undefined
  /** Source of the copy, relative to the skill's folder. */
  readonly from?: string | undefined
}

/** One check at the end of a trial: a check of a file, of the model's last answer, or of a kind in `trialKinds`. */
export type EvalAssertion = FileAssertion | OneOf<TextValues> | OneOf<TrialValues>

/**
 * Assertion about a file of the workspace. Without a further key, the file has to exist; with `absent`, it must not
 * exist.
 */
export interface FileAssertion extends Partial<TextValues> {
  readonly file: string
  readonly absent?: boolean | undefined
}

type OneOf<Values> = { [K in keyof Values]: Pick<Values, K> }[keyof Values]

/** Fields of every case. */
export interface EvalCase {
  /** Id in the file, or the position among its kind, from 1: `query 2`. */
  readonly id: string
  readonly prompt: string
  readonly files: readonly EvalFile[]
  /** Permission rules that its trials need, such as `Bash(npm test)`. A person has to allow them. */
  readonly allow: readonly string[]
}

/** Query for which the model should or should not pick the skill. */
export interface EvalQuery extends EvalCase {
  readonly shouldTrigger: boolean
}

/** Task with conditions on its result. */
export interface EvalTask extends EvalCase {
  readonly expectedOutput?: string | undefined
  readonly assertions: readonly EvalAssertion[]
}

/** The cases of one skill. */
export interface EvalCases {
  /** Absolute path of `evals/evals.json`. */
  readonly path: string
  /** Queries of the file. If it has none, the prompts of its tasks, which should trigger. */
  readonly queries: readonly EvalQuery[]
  readonly tasks: readonly EvalTask[]
}
