/** A file that a trial begins with. */
export interface EvalFile {
  /** In the workspace, relative, forward slashes. */
  readonly path: string
  /** What it holds; undefined where it is copied from the skill's folder. */
  readonly text?: string | undefined
  /** Where it is copied from, relative to the skill's folder. */
  readonly from?: string | undefined
}

/** What the end of a trial is held to. */
export type EvalAssertion =
  /** Of a file of the workspace; alone: whether it is there. */
  | {
      readonly file: string
      readonly absent?: boolean | undefined
      readonly contains?: string | undefined
      readonly matches?: string | undefined
      readonly schema?: unknown
    }
  /** Of what the model said last. */
  | { readonly contains: string }
  | { readonly matches: string }
  | { readonly schema: unknown }
  /** A line of a shell that ends with 0 in the workspace; it needs a permission. */
  | { readonly command: string }
  /** A statement that a model judges. */
  | { readonly judge: string }

/** What every case has. */
export interface EvalCase {
  /** As the file has it, else its place among its kind, from 1: `query 2`. */
  readonly id: string
  readonly prompt: string
  readonly files: readonly EvalFile[]
  /** Permission rules that its trials need, such as `Bash(npm test)`; a person has to agree to them. */
  readonly allow: readonly string[]
}

/** Whether the model should pick the skill. */
export interface EvalQuery extends EvalCase {
  readonly shouldTrigger: boolean
}

/** A task, and what its end is held to. */
export interface EvalTask extends EvalCase {
  readonly expectedOutput?: string | undefined
  readonly assertions: readonly EvalAssertion[]
}

/** The cases of one skill. */
export interface EvalCases {
  /** Of `evals/evals.json`, absolute. */
  readonly path: string
  /** Where the file has none, the prompts of its tasks, which should trigger. */
  readonly queries: readonly EvalQuery[]
  readonly tasks: readonly EvalTask[]
}
