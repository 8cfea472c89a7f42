import type { CatalogEntry, MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    permission: Permission
  }
}

/** `remote` comes from a server: its commands never run, even with a permission. */
export type TrustLevel = 'trusted' | 'untrusted' | 'remote'

/** Who invokes: a person who typed `/name`, or a model through its tool. */
export type Caller = 'user' | 'model'

export interface PermissionRequest {
  /** `Skill`; or the tool that would be used for what a skill does itself, as `Bash` for an embedded command. */
  readonly tool: string
  /** Of `Skill` the canonical name; of a script its text, with references to variables in place of values. */
  readonly content: string
  /**
   * The command that is invoked, or on whose behalf the tool is used. Of a tool of the host's own it is no prompt: it
   * stands for the conversation.
   */
  readonly entry: CatalogEntry
  readonly trust: TrustLevel
  readonly caller: Caller
  readonly args: string
  /** Rules that hold for this request besides the provider's own: the allowed-tools of a trusted skill. */
  readonly granted?: readonly string[] | undefined
  /** What a tool of the host's own is to be called with, as the model wrote it. */
  readonly input?: unknown
  /** The agent that wants to call it; undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** The session that it is about; undefined for the engine's own. */
  readonly sessionId?: string | undefined
  /** The files that it is about, where `content` does not say them: absolute, or from the working folder. */
  readonly paths?: readonly string[] | undefined
  /** Whether it is done without a question where no rule is about it, as for a file that a text includes. */
  readonly isFree?: boolean | undefined
  /** What travels beside a script in its environment, by variable. */
  readonly values?: Readonly<Record<string, string>> | undefined
}

/** A rule that would make the question unnecessary next time. */
export interface RuleSuggestion {
  readonly type: 'addRules'
  readonly rules: readonly { readonly toolName: string; readonly ruleContent?: string | undefined }[]
  readonly behavior: 'allow' | 'deny' | 'ask'
  readonly destination: string
}

export interface PermissionDecision {
  readonly behavior: 'allow' | 'deny' | 'ask'
  /** One sentence. */
  readonly message: string
  /**
   * What decided: a rule as it is written and where it comes from, that the skill is harmless, nothing (`default`),
   * that the host's yes would not count (`trust`), the host's answer, or a failure. A rule that had it asked is named
   * beside the answer. `typed`: a person typed it, in a place that is trusted.
   * `unreadable`: rules that might deny it cannot be read, so that only a person may answer, for this once, and not a
   * host by itself. `change` says of a skill that a person typed what is new or changed since its folder was trusted,
   * as the end of a sentence.
   */
  readonly decisionReason: {
    readonly type: 'rule' | 'safe' | 'typed' | 'default' | 'trust' | 'host' | 'unreadable' | 'failure'
    readonly rule?: string | undefined
    readonly source?: string | undefined
    readonly change?: string | undefined
  }
  readonly suggestions?: readonly RuleSuggestion[] | undefined
}

/** What the host is asked when no rule decides. Without an answer nothing is done. */
export type OnAsk = (question: {
  readonly request: PermissionRequest
  readonly decision: PermissionDecision
  readonly signal: AbortSignal
}) => MaybePromise<'allow' | 'deny'>

/** Decides what may be done. See docs/reference/permissions.md, "Permissions". */
export interface Permission {
  check(request: PermissionRequest, call: { readonly signal: AbortSignal }): MaybePromise<PermissionDecision>
  /**
   * Which of these skills a rule denies to a model: asked of all at once for each listing, so that no file is read for
   * it. Without it, none is left out.
   */
  denied?(
    entries: readonly CatalogEntry[],
    call: { readonly signal: AbortSignal },
  ): MaybePromise<ReadonlySet<CatalogEntry>>
}
