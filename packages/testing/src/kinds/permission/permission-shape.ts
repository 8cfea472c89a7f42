import type { CatalogEntry, MaybePromise } from '@skills/core'

/** A question to a permission provider, as `PermissionRequest` of `@skills/invocation`. */
export interface PermissionRequestShape {
  readonly tool: string
  readonly content: string
  readonly entry: CatalogEntry
  readonly trust: 'trusted' | 'untrusted' | 'remote'
  readonly caller: 'user' | 'model'
  readonly args: string
  readonly granted?: readonly string[] | undefined
  readonly input?: unknown
  readonly agentId?: string | undefined
  readonly sessionId?: string | undefined
  readonly values?: Readonly<Record<string, string>> | undefined
}

/** Rules that would make a question unnecessary, as `RuleSuggestion` of `@skills/invocation`. */
export interface RuleSuggestionShape {
  readonly type: 'addRules'
  readonly rules: readonly { readonly toolName: string; readonly ruleContent?: string | undefined }[]
  readonly behavior: 'allow' | 'deny' | 'ask'
  readonly destination: string
}

/** The answer, as `PermissionDecision` of `@skills/invocation`. */
export interface PermissionDecisionShape {
  readonly behavior: 'allow' | 'deny' | 'ask'
  readonly message: string
  readonly decisionReason: { readonly type: 'rule' | 'safe' | 'typed' | 'default' | 'trust' | 'host' | 'unreadable' | 'failure'; readonly rule?: string | undefined; readonly source?: string | undefined; readonly change?: string | undefined }
  readonly suggestions?: readonly RuleSuggestionShape[] | undefined
}

/** A permission provider that is set up, as `Permission` of `@skills/invocation`. */
export interface PermissionShape {
  check(request: PermissionRequestShape, call: { readonly signal: AbortSignal }): MaybePromise<PermissionDecisionShape>
  denied?(entries: readonly CatalogEntry[], call: { readonly signal: AbortSignal }): MaybePromise<ReadonlySet<CatalogEntry>>
}
