import type { ContentBlock, Effort, MaybePromise } from '@skills/core'
import type { PermissionDecision } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    runner: Runner
  }
}

/**
 * Tools of a sub-agent. Each tool is written as a permission rule: `Read`, or `Bash(git:*)` for matching calls only.
 */
export interface ToolLimits {
  /** Only these tools; undefined for all but {@link ToolLimits.without}. */
  readonly only?: readonly string[] | undefined
  /** Tools that it does not have, even if {@link ToolLimits.only} names them. */
  readonly without: readonly string[]
}

/** Call of a tool that a sub-agent wants to make. */
export interface ToolCall {
  readonly tool: string
  /** Text that rules are compared with: the command of Bash, the path of a file tool; otherwise JSON of the input. */
  readonly content: string
  /**
   * Paths of the files that it is about, if `content` does not name them: absolute, or relative to the working folder.
   */
  readonly paths?: readonly string[] | undefined
  readonly input: unknown
  readonly toolUseId?: string | undefined
}

/** Step that is carried out once in a run, even if another process resumes the run. */
export interface JournalStep<T> {
  /** `own`: a step of the run itself, such as its prompt. */
  readonly kind: 'model' | 'tool' | 'own'
  /** Key that no other step of the run has. It is the same when the run is replayed. */
  readonly key: string
  /** Everything the step is made with, as JSON. A difference from the record is `E_RUN_CHANGED`. */
  readonly input: unknown
  /** True if the step is repeated after a process ended in the middle of it. False: a person is asked. */
  readonly idempotent: boolean
  /** Title for people: `Bash git push`. */
  readonly title?: string | undefined
  /** Result to use if a person does not want the step repeated. Without it, the run fails. */
  readonly instead?: T | undefined
}

/**
 * Record of the steps of a run. A runner whose runs can be resumed makes each call of the model and of a tool through
 * the journal.
 */
export interface RunJournal {
  /**
   * Returns the recorded result of a step. If there is none, runs `make`, records its result, a JSON value, and returns
   * it. An answer of the model is recorded together with what follows from it: before the next call of a tool begins,
   * before a question, or with the end. A worker may record the result of a call in the same way, within 100 ms. A step
   * that throws is not recorded. If this method rejects, the run has to end.
   * @param make must call `begin` before its first effect and wait for it; from then on the step counts as started
   */
  step<T>(step: JournalStep<T>, make: (begin: () => Promise<void>) => Promise<T>): Promise<T>
}

/** Request to run one sub-agent until it ends. */
export interface RunRequest {
  readonly agentId: string
  /** Id of the session for invocations that the sub-agent makes; undefined for the engine's own session. */
  readonly sessionId?: string | undefined
  /** Type of the agent, such as `general-purpose`. */
  readonly agentType: string
  /** System prompt; undefined for the runner's own. */
  readonly system?: string | undefined
  /** Messages of the user that the conversation begins with. */
  readonly messages: readonly (readonly ContentBlock[])[]
  readonly tools: ToolLimits
  /** Undefined for the model of the parent. */
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  /** Most answers of the model. After the last one the sub-agent has to end. */
  readonly maxSteps: number
  /** Number of forks around it, itself included. The runner passes it on with invocations that the sub-agent makes. */
  readonly depth: number
  /**
   * Asked before each call of a tool; it asks the hooks too. Never answers `ask`, and never allows more than the parent
   * may do or than the agent's tools. Without `allow` the tool must not be called, and the model gets the message.
   */
  authorize(call: ToolCall): Promise<PermissionDecision>
  /**
   * Told of each call that was made, so that hooks hear of it. Returns a text that the model reads beside the result,
   * if there is one.
   */
  used(call: ToolCall, result: unknown): Promise<string | void>
  /**
   * Asked before the sub-agent ends with an answer that calls no tool. The returned blocks are the user's next message,
   * and the conversation continues; undefined lets it end. A runner that cannot continue, or whose steps are used up,
   * does not call it.
   * @param text text of that answer
   */
  readonly onStop?: ((text: string) => Promise<readonly ContentBlock[] | undefined>) | undefined
  progress(event: RunProgress): void
  /** Record of the run, so that another process can resume it; undefined if the run is not recorded. */
  readonly journal?: RunJournal | undefined
}

/** Event of a running sub-agent. */
export type RunProgress =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly tool: string; readonly content: string }
  | { readonly type: 'step'; readonly steps: number }

export interface RunUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Answers of the model. */
  readonly steps?: number | undefined
  /** Milliseconds. */
  readonly ms?: number | undefined
}

export interface RunResult {
  /** Text of the last message of the assistant; empty if it has none. */
  readonly text: string
  readonly usage?: RunUsage | undefined
}

/** Runs sub-agents. A host registers one runner. See docs/reference/forks.md, "Runners". */
export interface Runner {
  /** True if it uses {@link RunRequest.journal}. Otherwise a run whose process ended can only begin again. */
  readonly keepsSteps?: boolean | undefined
  /** Rejects with an `AbortError` once the signal aborts. By then nothing of the run is running any more. */
  run(request: RunRequest, call: { readonly signal: AbortSignal }): MaybePromise<RunResult>
}
