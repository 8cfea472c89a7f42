import type { Context } from '@skills/core'
import type { ForkEnd, Invocation, Outcome } from './executor.js'
import type { Caller, PermissionDecision, PermissionRequest } from '@skills/rules'
import type { InSession } from './session/in-session.js'

/** What every event of an invocation tells. */
export interface InvocationEvent extends Pick<Invocation, 'entry' | 'caller' | 'args' | 'agentId'>, InSession {
  /**
   * To be counted: the name of what is bundled or built in, and `custom` for all else, whose names say something of
   * their owners.
   */
  readonly commandName: string
  /** Where it runs; a command that is no prompt runs in the conversation. */
  readonly executionContext: Context
  readonly invocationTrigger: Caller
  /** Only there when a model wrote a `/` before the name. */
  readonly slashPrefix?: true
}

/** What every event of a tool tells. */
export interface ToolEvent extends InSession {
  readonly toolName: string
  readonly toolInput?: unknown
  /** Of the model's tool call. */
  readonly toolUseId?: string | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
}

declare module '@skills/core' {
  interface EngineHooks {
    /** A tool is about to be called. Listeners only observe; `decide('PreToolUse', …)` asks for permission. */
    'tool:before': (event: ToolEvent) => unknown
    /** A tool was called. */
    'tool:after': (event: ToolEvent & { readonly toolResponse?: unknown }) => unknown
    /** A session begins, as `startSession` tells; `reason`: `startup`, `resume`, `clear` or what the host has. */
    'session:start': (event: InSession & { readonly reason?: string | undefined }) => unknown
    /** A session ends, as `endSession` tells: hooks that were registered in it go. */
    'session:end': (event: InSession & { readonly reason?: string | undefined }) => unknown
    /** The host is about to shorten a conversation. Whether it may is for `decide('PreCompact', …)` to tell. */
    'compact:before': (
      event: InSession & { readonly agentId?: string | undefined; readonly reason?: string | undefined },
    ) => unknown
    /** The host shortened a conversation: what an agent had is gone from it. */
    'compact:after': (event: InSession & { readonly agentId?: string | undefined }) => unknown
    'permission:decided': (event: {
      readonly request: PermissionRequest
      readonly decision: PermissionDecision
    }) => unknown
    'invocation:start': (event: InvocationEvent) => unknown
    'invocation:progress': (event: InvocationEvent & { readonly event: unknown }) => unknown
    'invocation:end': (event: InvocationEvent & { readonly outcome: Outcome }) => unknown
    'invocation:error': (event: InvocationEvent & { readonly error: unknown }) => unknown
    /** Told once for each fork, whether it succeeded, failed or was stopped, and also when the engine closes. */
    'fork:ended': (event: ForkEnd) => unknown
    /** The host wants a fork to end, such as one in the background. */
    'fork:stop': (event: { readonly agentId: string }) => unknown
  }
}
