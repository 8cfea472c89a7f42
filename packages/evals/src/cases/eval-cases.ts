/** File that exists when a trial begins. */
export interface EvalFile {
  /** Path relative to the workspace, with forward slashes. */
  readonly path: string
  /** Content. Undefined if the file is copied from the skill's folder. */
  readonly text?: string | undefined
  /** Source of the copy, relative to the skill's folder. */
  readonly from?: string | undefined
}

/** Condition that is checked at the end of a trial. */
export type EvalAssertion =
  /** Condition on a file of the workspace. Without another field: the file exists. */
  | {
      readonly file: string
      readonly absent?: boolean | undefined
      readonly contains?: string | undefined
      readonly matches?: string | undefined
      readonly schema?: unknown
    }
  /** Condition on the last text of the model. */
  | { readonly contains: string }
  | { readonly matches: string }
  | { readonly schema: unknown }
  /** Shell command that has to exit with 0 in the workspace. It needs a permission. */
  | { readonly command: string }
  /** Statement that a model judges. */
  | { readonly judge: string }

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
