import type { CatalogEntry, MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    permission: Permission
  }
}

/**
 * Trust in a command. `remote`: the command comes from a server, and commands that it embeds never run, even with a
 * permission.
 */
export type TrustLevel = 'trusted' | 'untrusted' | 'remote'

/** Caller of an invocation: a person who typed `/name`, or a model through its tool. */
export type Caller = 'user' | 'model'

export interface PermissionRequest {
  /** `Skill`, or the tool for an action of a skill, such as `Bash` for an embedded command. */
  readonly tool: string
  /** For `Skill` the canonical name; for a script its text, with references to variables in place of values. */
  readonly content: string
  /**
   * Command that is invoked, or for which the tool is used. For a host's own tool it is the entry of the conversation,
   * which is not a prompt.
   */
  readonly entry: CatalogEntry
  readonly trust: TrustLevel
  readonly caller: Caller
  readonly args: string
  /** Rules that hold for this request besides the provider's own: the allowed-tools of a trusted skill. */
  readonly granted?: readonly string[] | undefined
  /** Input of a host's own tool, as the model wrote it. */
  readonly input?: unknown
  /** Id of the agent that wants to make the call; undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** Id of the session; undefined for the engine's own. */
  readonly sessionId?: string | undefined
  /** Files that the request is about, if `content` does not name them: absolute, or relative to the working folder. */
  readonly paths?: readonly string[] | undefined
  /** True if it is allowed without a question unless a rule is about it, as for a file that a text includes. */
  readonly isFree?: boolean | undefined
  /** Values that a script gets in its environment, by variable. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** Approval that the trust provider returned when a person said yes to this invocation. It counts for no other. */
  readonly approved?: string | undefined
}

/** Rule that a person can add, so that the same question is not asked again. */
export interface RuleSuggestion {
  readonly type: 'addRules'
  readonly rules: readonly { readonly toolName: string; readonly ruleContent?: string | undefined }[]
  readonly behavior: 'allow' | 'deny' | 'ask'
  readonly destination: string
}

export interface PermissionDecision {
  readonly behavior: 'allow' | 'deny' | 'ask'
  /** One sentence that says why. */
  readonly message: string
  /**
   * Reason of the decision.
   *
   * - `rule`: a rule, as it is written, and its origin
   * - `safe`: the skill is harmless
   * - `typed`: a person typed it in a trusted folder
   * - `default`: no rule is about it
   * - `trust`: the host's yes would not count
   * - `host`: the host's answer; the rule that asked is named beside it
   * - `unreadable`: rules that might deny it cannot be read. Only a person may allow it, and only this once
   * - `failure`: something failed
   *
   * `change` is the end of a sentence about a typed skill: what is new or changed since its folder was trusted.
   */
  readonly decisionReason: {
    readonly type: 'rule' | 'safe' | 'typed' | 'default' | 'trust' | 'host' | 'unreadable' | 'failure'
    readonly rule?: string | undefined
    readonly source?: string | undefined
    readonly change?: string | undefined
    /** True if the named rule counts once the skill is approved as it is now. */
    readonly needsApproval?: boolean | undefined
  }
  readonly suggestions?: readonly RuleSuggestion[] | undefined
}

/**
 * Asks the host when no rule decides. Without an answer the action is not carried out. `allow` is for this invocation
 * alone: nothing is saved, and the next invocation asks again.
 */
export type OnAsk = (question: {
  readonly request: PermissionRequest
  readonly decision: PermissionDecision
  readonly signal: AbortSignal
  /**
   * Saves that the skill is approved as it is now, so that a rule for it counts until it changes. Call it before
   * `allow` if the person wants a rule for good. Absent if nothing can be saved. Rejects with `E_STATE`.
   */
  readonly approve?: (() => Promise<void>) | undefined
}) => MaybePromise<'allow' | 'deny'>

/** Decides whether an action may be done. See docs/reference/permissions.md, "Permissions". */
export interface Permission {
  check(request: PermissionRequest, call: { readonly signal: AbortSignal }): MaybePromise<PermissionDecision>
  /**
   * Returns the skills that a rule denies to a model. Called once for each listing, about all skills together, so that
   * no file is read for it. Without this method, none is left out.
   */
  denied?(
    entries: readonly CatalogEntry[],
    call: { readonly signal: AbortSignal },
  ): MaybePromise<ReadonlySet<CatalogEntry>>
}
