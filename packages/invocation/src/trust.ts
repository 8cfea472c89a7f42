import type { MaybePromise, PromptCommand } from '@skills/core'
import type { TrustLevel } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    trust: Trust
  }
  interface PromptCommand {
    /**
     * Files of a skill from a server. A skill that has it needs permission: a person's yes is for exactly these files.
     */
    readonly manifest?: SkillManifest | undefined
  }
}

/** Files that a server lists for a skill. */
export interface SkillManifest {
  /** Address of the skill at its server, which no other skill has: `mcp://docs/skill://refunds/SKILL.md`. */
  readonly address: string
  /**
   * SHA-256 over address and digest of every file, 64 hexadecimal digits. Absent if the server lists no digests: a yes
   * then counts for one invocation.
   */
  readonly digest?: string | undefined
}

export interface TrustVerdict {
  readonly level: TrustLevel
  /** True if the user approved exactly these bytes, or no approval is needed. False if the caller did not ask. */
  readonly isApproved: boolean
  /**
   * `agreed`: unchanged since its folder was trusted; `changed`: not. Absent if it was not there then, or if the
   * approval does not matter.
   */
  readonly item?: 'agreed' | 'changed' | undefined
  /** Changes since then, a clause each. */
  readonly changes?: readonly string[] | undefined
}

export interface TrustCall {
  readonly signal: AbortSignal
  /**
   * Approval that {@link Trust.approve} returned for this invocation. The command counts as approved while it is unchanged.
   */
  readonly approved?: string | undefined
}

export interface ApproveCall extends TrustCall {
  /** True if the approval is for one invocation, and nothing is saved. */
  readonly once?: boolean | undefined
}

/** Part of a folder that has an effect only if the user agreed to exactly this text. */
export interface Claim {
  /** Kind, such as `rule`, `server` or `module`. */
  readonly kind: string
  /** Label that differs from those of other claims of the same kind and file. */
  readonly label: string
  /** Absolute path of the file that contains it. */
  readonly path: string
  /** Full text: exactly what counts. */
  readonly text: string
}

/** Judges how far a command is trusted. See docs/reference/trust.md, "Trust". */
export interface Trust {
  /**
   * Judges a command.
   * @param asksApproval true if the approval matters; every file of the skill is read for it
   */
  judge(command: PromptCommand, asksApproval: boolean, call: TrustCall): MaybePromise<TrustVerdict>
  /**
   * Returns one sentence that says why the user's yes would not count; undefined if it would. Called before the user is
   * asked. The user is then asked about the content that it read.
   */
  refuses?(command: PromptCommand, call: TrustCall): MaybePromise<string | undefined>
  /**
   * Returns for each claim whether it counts. Without this method, a claim counts if its file would be trusted as a
   * command is.
   */
  agrees?(claims: readonly Claim[], call: TrustCall): MaybePromise<readonly boolean[]>
  /**
   * Records that the user approved a command as it is now. Returns a text for {@link TrustCall.approved}; undefined if
   * the command needs no approval. Rejects if it changed since the user was asked.
   */
  approve?(command: PromptCommand, call: ApproveCall): MaybePromise<string | void>
}
