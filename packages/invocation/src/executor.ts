import type { CatalogEntry, ContentBlock, MaybePromise, PromptBody, PromptCommand } from '@skills/core'
import type { Caller, PermissionDecision, PermissionRequest } from './permission.js'
import type { TrustLevel } from './trust.js'

export interface Grants {
  /** Whether the allowed-tools of a trusted skill count as leave. Default: true; a fork's restrict it and grant nothing. */
  readonly grants?: boolean | undefined
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
  /** Of the model's tool call. */
  readonly toolUseId?: string | undefined
  /** Forks around this one. */
  readonly depth: number
  /** Asks for leave to use a tool on the skill's behalf; never answers `ask`. */
  authorize(request: Pick<PermissionRequest, 'tool' | 'content' | 'values'> & Grants): Promise<PermissionDecision>
  /** Why something must not be done at all, as by policy. */
  forbids(action: 'shell'): Promise<string | undefined>
  /** Tells whoever watches. */
  progress(event: unknown): void
}

/** A message for the conversation. `meta` is for the model and not shown; `attachment` carries data beside the text. */
export interface Message {
  readonly type: 'user' | 'attachment' | 'progress'
  readonly content: string | readonly ContentBlock[]
  readonly isMeta?: boolean | undefined
  readonly toolUseId?: string | undefined
  readonly attachment?: Readonly<Record<string, unknown>> & { readonly type: string } | undefined
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
  readonly data: Readonly<Record<string, unknown>> & { readonly success: boolean; readonly commandName: string; readonly status: 'inline' | 'forked' | 'local' }
  readonly newMessages: readonly Message[]
  /** Gives the context with what the skill asks for; never changes the one it is given. */
  readonly contextModifier?: (<C extends AgentContext>(context: C) => C) | undefined
}

/** Carries out a prompt. Its id is the `context` it stands for: `inline`, `fork`. See docs/reference.md, "Execution". */
export interface Executor {
  execute(invocation: Invocation, call: { readonly signal: AbortSignal }): MaybePromise<Outcome>
}
