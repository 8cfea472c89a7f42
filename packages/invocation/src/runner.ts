import type { ContentBlock, Effort, MaybePromise } from '@skills/core'
import type { PermissionDecision } from './permission.js'

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
  readonly input: unknown
  readonly toolUseId?: string | undefined
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
  /** Rejects with an `AbortError` once the signal aborts, and then nothing of it runs any more. */
  run(request: RunRequest, call: { readonly signal: AbortSignal }): MaybePromise<RunResult>
}
