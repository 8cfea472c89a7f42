import type { ContentBlock, Effort, MaybePromise } from '@skills/core'
import type { PermissionDecision } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    runner: Runner
  }
}

/** Which tools a sub-agent has. Each is written as a permission rule: `Read`, `Bash(git:*)` for matching calls only. */
export interface ToolLimits {
  /** These and no others; undefined: all but {@link ToolLimits.without}. */
  readonly only?: readonly string[] | undefined
  /** Tools that it does not have, also where {@link ToolLimits.only} names them. */
  readonly without: readonly string[]
}

/** One call of a tool that a sub-agent wants to make. */
export interface ToolCall {
  readonly tool: string
  /** As rules are compared with: of Bash its command, of a tool for files the path; else JSON. */
  readonly content: string
  /** The files that it is about, where `content` does not say them: absolute, or from the working folder. */
  readonly paths?: readonly string[] | undefined
  readonly input: unknown
  readonly toolUseId?: string | undefined
}

/** One thing that a run does once, also where another process goes on with it. */
export interface JournalStep<T> {
  /** `own`: of the run itself, such as its prompt. */
  readonly kind: 'model' | 'tool' | 'own'
  /** Unlike that of any other step of the run, and the same when the run is replayed. */
  readonly key: string
  /** All that it is made with, as JSON: another one than was recorded is `E_RUN_CHANGED`. */
  readonly input: unknown
  /** Whether it is made again where a process ended while it was under way. Else a person is asked. */
  readonly idempotent: boolean
  /** For people: `Bash git push`. */
  readonly title?: string | undefined
  /** What it gives where a person does not want it made again. Without it the run fails then. */
  readonly instead?: T | undefined
}

/** What a run did. A runner that can be gone on with asks it before each call of the model and of a tool. */
export interface RunJournal {
  /**
   * What was recorded of a step; else what `make` gives, a JSON value, once it is recorded. A step that throws is not
   * recorded. Where it rejects the run has to end.
   * @param make calls `begin` before its first effect, and waits for it: from then on the step is under way
   */
  step<T>(step: JournalStep<T>, make: (begin: () => Promise<void>) => Promise<T>): Promise<T>
}

/** A sub-agent to be run to its end. */
export interface RunRequest {
  readonly agentId: string
  /** Of the session that it works in, for what it invokes itself; undefined for the engine's own. */
  readonly sessionId?: string | undefined
  /** Type of the agent, as `general-purpose`. */
  readonly agentType: string
  /** What precedes the conversation; undefined: what the runner has for its agents. */
  readonly system?: string | undefined
  /** The messages that the conversation begins with, each of the user's. */
  readonly messages: readonly (readonly ContentBlock[])[]
  readonly tools: ToolLimits
  /** Undefined: as the parent's. */
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  /** Answers of the model after which it has to end. */
  readonly maxSteps: number
  /** Forks around it, itself included: what it invokes itself is passed on with it. */
  readonly depth: number
  /**
   * Asked before each call of a tool. Never answers `ask`, never allows more than the parent may or the tools of the
   * agent are, and has asked the hooks. Without `allow` the tool must not be called; the model gets the message.
   */
  authorize(call: ToolCall): Promise<PermissionDecision>
  /**
   * Told of each call that was made, for the hooks. Gives what the model has to read besides the result, if anything.
   */
  used(call: ToolCall, result: unknown): Promise<string | void>
  /**
   * Asked, where it may answer once more, before the sub-agent ends with an answer that calls no tool. What it gives is
   * the next message of the user, with which the conversation goes on; undefined: it ends. A runner that cannot go on
   * does not ask.
   * @param text of that answer
   */
  readonly onStop?: ((text: string) => Promise<readonly ContentBlock[] | undefined>) | undefined
  progress(event: RunProgress): void
  /** Where what it does is recorded, so that another process can go on with it. */
  readonly journal?: RunJournal | undefined
}

/** What a runner tells while it runs. */
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
  /** Of the last message of the assistant; empty when it said nothing. */
  readonly text: string
  readonly usage?: RunUsage | undefined
}

/** Runs sub-agents. A host registers one. See docs/reference/forks.md, "Runners". */
export interface Runner {
  /** Whether it asks {@link RunRequest.journal}. One that does not can only begin again where its process ended. */
  readonly keepsSteps?: boolean | undefined
  /** Rejects with an `AbortError` once the signal aborts, and then nothing of it runs any more. */
  run(request: RunRequest, call: { readonly signal: AbortSignal }): MaybePromise<RunResult>
}
