import type { CatalogEntry, ContentBlock, MaybePromise, PromptBody, PromptCommand } from '@skills/core'
import type { HookDecision } from './hook-decision.js'
import type { Caller, OnAsk, PermissionDecision, PermissionRequest } from '@skills/rules'
import type { RunUsage, ToolLimits } from './runner.js'
import type { InSession } from './session/in-session.js'
import type { TrustLevel } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    executor: Executor
  }
}

export interface Grants {
  /**
   * True (default) if the allowed-tools of a trusted skill permit those tools, and a person who typed the skill's name
   * agreed to its calls. `listed`: a model calls, so only the allowed-tools permit. False: neither does, as in a fork
   * whose allowed-tools are a limit.
   */
  readonly grants?: boolean | 'listed' | undefined
  /** Objection of the hooks. The rules alone cannot allow the call then. */
  readonly objection?: HookDecision | undefined
  /** Asked instead of the host, and may ask the host itself. Recorded runs use it to record their questions. */
  readonly asking?:
    | {
        ask(question: Parameters<OnAsk>[0], onAsk: OnAsk | undefined): MaybePromise<'allow' | 'deny'>
        /** Ends the wait for an answer. */
        readonly signal: AbortSignal
      }
    | undefined
}

/** End of a fork, with a result or an error. */
export interface ForkEnd extends InSession {
  /** Id of the fork. */
  readonly agentId: string
  readonly commandName: string
  /** The agent that forked; undefined for the main conversation. */
  readonly parentId?: string | undefined
  /** Id of the model's tool call that started it. */
  readonly toolUseId?: string | undefined
  /** True if the fork ran in the background. Its result then arrives in this event. */
  readonly isBackground: boolean
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  /** Error that it failed with; an `AbortError` if it was stopped. */
  readonly error?: unknown
}

/** Part of a session that executors use. */
export interface InvocationSession {
  /** Key of the session; undefined for the engine's own session. */
  readonly key: string | undefined
  /** Effort in effect: that of the active skills, else the host's. */
  readonly effortNow: string | number | undefined
  /** Returns true if an agent was given this exact content of a skill before, and records that it has it now. */
  hasText(agentId: string | undefined, name: string, content: readonly ContentBlock[]): boolean
  /** Records that a fork of a skill begins. {@link Invocation.ended} records its end. */
  forkBegins(agentId: string, name: string): void
}

/** Permitted invocation. The body of its skill is read but not yet expanded. */
export interface Invocation {
  readonly entry: CatalogEntry
  readonly command: PromptCommand
  /** Arguments exactly as they were given. */
  readonly args: string
  readonly body: PromptBody
  readonly caller: Caller
  readonly trust: TrustLevel
  /** Approval that the trust provider returned when a person said yes to this invocation. */
  readonly approved?: string | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** Session that it belongs to; undefined if an executor is called directly. */
  readonly session?: InvocationSession | undefined
  /** Id of the model's tool call. */
  readonly toolUseId?: string | undefined
  /** Number of forks around this invocation. */
  readonly depth: number
  /**
   * Key that the caller chose for a recorded fork. If there is a run of the skill with this key, it is waited for, and no
   * second one is made: a caller that does not know whether its invocation arrived repeats it with the same key. Other
   * `args` with the same key are `E_RUN_STATE`.
   */
  readonly idempotencyKey?: string | undefined
  /** Id of the recorded run that it resumes; see docs/reference/runs.md. */
  readonly run?: string | undefined
  /** Tools of the invoking agent, if the host limits them. A fork gets no others. */
  readonly tools?: ToolLimits | undefined
  /** Asks for permission to use a tool for the skill. Never answers `ask`. */
  authorize(
    request: Pick<PermissionRequest, 'tool' | 'content' | 'paths' | 'values' | 'isFree'> & Grants,
  ): Promise<PermissionDecision>
  /** Returns a text as a model may read it: without absolute paths, unless the host shows them. Default: unchanged. */
  tells?(text: string): string
  /** Returns the reason why an action is forbidden, such as a policy; undefined if it is not. */
  forbids(action: 'shell'): Promise<string | undefined>
  /** Emits `invocation:progress`. */
  progress(event: unknown): void
  /**
   * Looks up, permits and reads another skill, as if this skill's agent invoked it without arguments. For agents that
   * begin with the text of skills. Rejects as an invocation by a model does.
   */
  skill(name: string): Promise<Invocation>
  /** Emits `fork:ended`, even after the invocation itself has ended. */
  ended(end: ForkEnd): void
}

/**
 * Message for the conversation. `isMeta`: the model reads the message, but people do not see it. `attachment`: data
 * beside the text.
 */
export interface Message {
  readonly type: 'user' | 'attachment' | 'progress'
  readonly content: string | readonly ContentBlock[]
  readonly isMeta?: boolean | undefined
  readonly toolUseId?: string | undefined
  readonly attachment?: (Readonly<Record<string, unknown>> & { readonly type: string }) | undefined
}

/** Settings of an agent that a skill may change. Other keys of the host are not changed. */
export interface AgentContext {
  readonly toolPermissionContext?: {
    readonly alwaysAllowRules?: { readonly command?: readonly string[] }
    readonly disallowedTools?: readonly string[]
    /** Only tools that the active skills leave; undefined if none restricts them. */
    readonly onlyTools?: readonly string[]
  }
  readonly options?: { readonly mainLoopModel?: string; readonly maxThinkingTokens?: number }
  readonly effortValue?: string | number
}

export interface Outcome {
  readonly data: Readonly<Record<string, unknown>> & {
    readonly success: boolean
    readonly commandName: string
    readonly status: 'inline' | 'forked' | 'local'
  }
  readonly newMessages: readonly Message[]
  /** Returns a copy of the context with the changes of the skill. Never changes its argument. */
  readonly contextModifier?: (<C extends AgentContext>(context: C) => C) | undefined
}

/**
 * Runs a prompt. The id of an executor is the value of `context` that it serves: `inline` or `fork`. See
 * docs/reference/invocation.md, "Execution inline", and docs/reference/forks.md, "Execution in a fork".
 */
export interface Executor {
  execute(invocation: Invocation, call: { readonly signal: AbortSignal }): MaybePromise<Outcome>
  /**
   * True if executing a skill runs a command that its text embeds. Without this method a text that looks as if it did
   * needs permission.
   */
  embeds?(template: string, command: PromptCommand, call: { readonly signal: AbortSignal }): MaybePromise<boolean>
}
