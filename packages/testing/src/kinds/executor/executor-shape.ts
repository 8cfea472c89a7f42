import type { CatalogEntry, ContentBlock, MaybePromise, PromptBody, PromptCommand } from '@skills/core'
import type { RunUsageShape, ToolLimitsShape } from '../runner/runner-shape.js'
import type { PermissionDecisionShape, PermissionRequestShape } from '../permission/permission-shape.js'

/** Of a session, as `InvocationSession` of `@skills/invocation`. */
export interface InvocationSessionShape {
  readonly key: string | undefined
  readonly effortNow: string | number | undefined
  hasText(agentId: string | undefined, name: string, content: readonly ContentBlock[]): boolean
  forkBegins(agentId: string, name: string): void
}

/** How a fork ended, as `ForkEnd` of `@skills/invocation`. */
export interface ForkEndShape {
  readonly sessionId?: string | undefined
  readonly agentId: string
  readonly commandName: string
  readonly parentId?: string | undefined
  readonly toolUseId?: string | undefined
  readonly isBackground: boolean
  readonly result?: string | undefined
  readonly usage?: RunUsageShape | undefined
  readonly error?: unknown
}

/** An invocation on its way, as `Invocation` of `@skills/invocation`. */
export interface InvocationShape {
  readonly entry: CatalogEntry
  readonly command: PromptCommand
  readonly args: string
  readonly body: PromptBody
  readonly caller: 'user' | 'model'
  readonly trust: 'trusted' | 'untrusted' | 'remote'
  readonly agentId?: string | undefined
  readonly session?: InvocationSessionShape | undefined
  readonly toolUseId?: string | undefined
  readonly depth: number
  readonly tools?: ToolLimitsShape | undefined
  authorize(request: Pick<PermissionRequestShape, 'tool' | 'content' | 'values'> & { readonly grants?: boolean | undefined; readonly objection?: HookDecisionShape | undefined }): Promise<PermissionDecisionShape>
  forbids(action: 'shell'): Promise<string | undefined>
  progress(event: unknown): void
  skill(name: string): Promise<InvocationShape>
  ended(end: ForkEndShape): void
}

/** What hooks decided about the call of a tool, as `HookDecision` of `@skills/invocation`. */
export interface HookDecisionShape extends PermissionDecisionShape {
  readonly behavior: 'deny' | 'ask'
}

/** A message for the conversation, as `Message` of `@skills/invocation`. */
export interface MessageShape {
  readonly type: 'user' | 'attachment' | 'progress'
  readonly content: string | readonly ContentBlock[]
  readonly isMeta?: boolean | undefined
  readonly toolUseId?: string | undefined
  readonly attachment?: Readonly<Record<string, unknown>> & { readonly type: string } | undefined
}

/** What an agent runs with, as `AgentContext` of `@skills/invocation`. */
export interface AgentContextShape {
  readonly toolPermissionContext?: {
    readonly alwaysAllowRules?: { readonly command?: readonly string[] }
    readonly disallowedTools?: readonly string[]
    readonly onlyTools?: readonly string[]
  }
  readonly options?: { readonly mainLoopModel?: string; readonly maxThinkingTokens?: number }
  readonly effortValue?: string | number
}

/** What an executor gives, as `Outcome` of `@skills/invocation`. */
export interface OutcomeShape {
  readonly data: Readonly<Record<string, unknown>> & { readonly success: boolean; readonly commandName: string; readonly status: 'inline' | 'forked' | 'local' }
  readonly newMessages: readonly MessageShape[]
  readonly contextModifier?: (<C extends AgentContextShape>(context: C) => C) | undefined
}

/** An executor that is set up, as `Executor` of `@skills/invocation`. */
export interface ExecutorShape {
  execute(invocation: InvocationShape, call: { readonly signal: AbortSignal }): MaybePromise<OutcomeShape>
}
