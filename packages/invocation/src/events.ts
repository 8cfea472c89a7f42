import type { Invocation, Outcome, PermissionDecision, PermissionRequest } from './index.js'

/** What every event of an invocation tells. */
export interface InvocationEvent extends Pick<Invocation, 'entry' | 'caller' | 'args' | 'agentId'> {
  /** The name it goes by. */
  readonly commandName: string
}

declare module '@skills/core' {
  interface EngineHooks {
    /** The host shortened a conversation: what an agent had is gone from it. */
    'compact:after': (event: { readonly agentId?: string | undefined }) => unknown
    'permission:decided': (event: { readonly request: PermissionRequest; readonly decision: PermissionDecision }) => unknown
    'invocation:start': (event: InvocationEvent) => unknown
    'invocation:progress': (event: { readonly commandName: string; readonly agentId?: string | undefined; readonly event: unknown }) => unknown
    'invocation:end': (event: InvocationEvent & { readonly outcome: Outcome }) => unknown
    'invocation:error': (event: InvocationEvent & { readonly error: unknown }) => unknown
  }
}
