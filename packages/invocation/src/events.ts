import type { Context } from '@skills/core'
import type { ForkEnd, Invocation, Outcome } from './executor.js'
import type { Caller, PermissionDecision, PermissionRequest } from '@skills/rules'
import type { InSession } from './session/in-session.js'

/** Fields that every event of an invocation has. */
export interface InvocationEvent extends Pick<Invocation, 'entry' | 'caller' | 'args' | 'agentId'>, InSession {
  /**
   * Name for statistics: the real one of a bundled or built-in command, `custom` for every other, since names tell
   * something about their owners.
   */
  readonly commandName: string
  /** `inline` or `fork`. A command that is not a prompt runs `inline`. */
  readonly executionContext: Context
  readonly invocationTrigger: Caller
  /** Present only if a model wrote a `/` before the name. */
  readonly slashPrefix?: true
}

/** Fields that every event of a tool has. */
export interface ToolEvent extends InSession {
  readonly toolName: string
  readonly toolInput?: unknown
  /** Id of the model's tool call. */
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
    /**
     * A session begins; emitted by `startSession`. `reason`: `startup`, `resume`, `clear` or a word of the host's own.
     */
    'session:start': (event: InSession & { readonly reason?: string | undefined }) => unknown
    /** A session ends; emitted by `endSession`. Hooks that were registered in it are removed. */
    'session:end': (event: InSession & { readonly reason?: string | undefined }) => unknown
    /** The host is about to shorten a conversation. `decide('PreCompact', …)` asks whether it may. */
    'compact:before': (
      event: InSession & { readonly agentId?: string | undefined; readonly reason?: string | undefined },
    ) => unknown
    /** The host shortened a conversation. Skills that an agent was given are no longer in it. */
    'compact:after': (event: InSession & { readonly agentId?: string | undefined }) => unknown
    'permission:decided': (event: {
      readonly request: PermissionRequest
      readonly decision: PermissionDecision
    }) => unknown
    'invocation:start': (event: InvocationEvent) => unknown
    'invocation:progress': (event: InvocationEvent & { readonly event: unknown }) => unknown
    'invocation:end': (event: InvocationEvent & { readonly outcome: Outcome }) => unknown
    'invocation:error': (event: InvocationEvent & { readonly error: unknown }) => unknown
    /** Emitted once for each fork: when it succeeds, fails or is stopped, and when the engine closes. */
    'fork:ended': (event: ForkEnd) => unknown
    /** The host asks a fork to end, such as one in the background. */
    'fork:stop': (event: { readonly agentId: string }) => unknown
  }
}
