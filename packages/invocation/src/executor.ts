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
  /** Whether the allowed-tools of a trusted skill permit those tools. Default: true; in a fork they only restrict. */
  readonly grants?: boolean | undefined
  /** What hooks have against it: the rules alone cannot allow it then. */
  readonly objection?: HookDecision | undefined
  /** Asked in place of the host, which it may ask itself: of a run, whose questions are recorded. */
  readonly asking?:
    | {
        ask(question: Parameters<OnAsk>[0], onAsk: OnAsk | undefined): MaybePromise<'allow' | 'deny'>
        /** Ends the wait for an answer. */
        readonly signal: AbortSignal
      }
    | undefined
}

/** How a fork ended: with a result or with an error. */
export interface ForkEnd extends InSession {
  /** Of the fork. */
  readonly agentId: string
  readonly commandName: string
  /** The agent that forked; undefined for the main conversation. */
  readonly parentId?: string | undefined
  /** Of the model's tool call that it comes from. */
  readonly toolUseId?: string | undefined
  /** Whether the fork ran in the background: then its result arrives here. */
  readonly isBackground: boolean
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  /** What it failed with, an `AbortError` where it was given up. */
  readonly error?: unknown
}

/** What an executor needs of the session that it works in. */
export interface InvocationSession {
  /** Undefined for the engine's own. */
  readonly key: string | undefined
  /** The effort in effect: of the skills at work, else the host's. */
  readonly effortNow: string | number | undefined
  /** Whether an agent has this very content of a skill already; from now on it has. */
  hasText(agentId: string | undefined, name: string, content: readonly ContentBlock[]): boolean
  /** A fork of a skill begins; {@link Invocation.ended} tells of its end. */
  forkBegins(agentId: string, name: string): void
}

/** One invocation on its way: looked up, permitted, its body read and not yet expanded. */
export interface Invocation {
  readonly entry: CatalogEntry
  readonly command: PromptCommand
  /** Verbatim. */
  readonly args: string
  readonly body: PromptBody
  readonly caller: Caller
  readonly trust: TrustLevel
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** Where it takes place; undefined where an executor is called by hand. */
  readonly session?: InvocationSession | undefined
  /** Of the model's tool call. */
  readonly toolUseId?: string | undefined
  /** Forks around this one. */
  readonly depth: number
  /** The recorded run that it goes on with; see docs/reference/runs.md. */
  readonly run?: string | undefined
  /** What the agent that invokes may use, where the host limits it: a fork of its has no more. */
  readonly tools?: ToolLimits | undefined
  /** Asks for permission to use a tool on the skill's behalf; never answers `ask`. */
  authorize(
    request: Pick<PermissionRequest, 'tool' | 'content' | 'paths' | 'values' | 'isFree'> & Grants,
  ): Promise<PermissionDecision>
  /** Why something must not be done at all, as by policy. */
  forbids(action: 'shell'): Promise<string | undefined>
  /** Emits `invocation:progress`. */
  progress(event: unknown): void
  /**
   * Another skill as this one's agent would invoke it without arguments: looked up, permitted, its body read. For
   * agents that begin with the text of skills. Rejects as an invocation by a model does.
   */
  skill(name: string): Promise<Invocation>
  /** Emits `fork:ended`; also after the invocation itself has ended. */
  ended(end: ForkEnd): void
}

/** A message for the conversation. `meta` is for the model and not shown; `attachment` carries data beside the text. */
export interface Message {
  readonly type: 'user' | 'attachment' | 'progress'
  readonly content: string | readonly ContentBlock[]
  readonly isMeta?: boolean | undefined
  readonly toolUseId?: string | undefined
  readonly attachment?: (Readonly<Record<string, unknown>> & { readonly type: string }) | undefined
}

/** What an agent runs with, as far as a skill may change it; a host's own keys stay as they are. */
export interface AgentContext {
  readonly toolPermissionContext?: {
    readonly alwaysAllowRules?: { readonly command?: readonly string[] }
    readonly disallowedTools?: readonly string[]
    /** Where a skill may use nothing else. */
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
  /** Gives the context with what the skill asks for; never changes the one it is given. */
  readonly contextModifier?: (<C extends AgentContext>(context: C) => C) | undefined
}

/**
 * Runs a prompt. Its id is a `context`: `inline`, `fork`.
 * See docs/reference/invocation.md, "Execution inline", and docs/reference/forks.md,
 * "Execution in a fork".
 */
export interface Executor {
  execute(invocation: Invocation, call: { readonly signal: AbortSignal }): MaybePromise<Outcome>
}
