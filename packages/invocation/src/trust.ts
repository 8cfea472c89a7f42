import type { MaybePromise, PromptCommand } from '@skills/core'
import type { TrustLevel } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    trust: Trust
  }
  interface PromptCommand {
    /** Of a skill from a server. What sets it asks for permission: a person's yes is for exactly these files. */
    readonly manifest?: SkillManifest | undefined
  }
}

/** Which files a server lists for a skill. */
export interface SkillManifest {
  /** Of the skill at its server, so that no other has it: `mcp://docs/skill://refunds/SKILL.md`. */
  readonly address: string
  /**
   * SHA-256 over address and digest of every file, 64 hexadecimal digits. Absent where the server lists none: then a
   * yes holds for one invocation.
   */
  readonly digest?: string | undefined
}

export interface TrustVerdict {
  readonly level: TrustLevel
  /** Whether the user approved the command byte for byte, or it needs none. False when the caller did not ask. */
  readonly isApproved: boolean
  /**
   * Whether it is still what was agreed to when its folder was trusted. Absent where it was not there, or the approval
   * does not matter.
   */
  readonly item?: 'agreed' | 'changed' | undefined
  /** Of one that changed: what did, a clause each. */
  readonly changes?: readonly string[] | undefined
}

export interface TrustCall {
  readonly signal: AbortSignal
}

/** Something that a folder brings along and that counts only once the user agreed to exactly this. */
export interface Claim {
  /** What it is, as `rule`, `server` or `module`. */
  readonly kind: string
  /** Tells it from others of its kind and its file. */
  readonly label: string
  /** The file that says it, absolute. */
  readonly path: string
  /** What it says, whole: exactly what counts. */
  readonly text: string
}

/** Says how far a command is trusted. See docs/reference/trust.md, "Trust". */
export interface Trust {
  /** @param asksApproval whether the approval matters, for which every file of the skill is read */
  judge(command: PromptCommand, asksApproval: boolean, call: TrustCall): MaybePromise<TrustVerdict>
  /**
   * Why the user's yes to a command would not count, in one sentence: asked before the user is. Undefined where it
   * would. What it looked at is what the user is then asked about.
   */
  refuses?(command: PromptCommand, call: TrustCall): MaybePromise<string | undefined>
  /**
   * Which of the claims count, in their order. Without it a claim counts where its file would be trusted as a command
   * is.
   */
  agrees?(claims: readonly Claim[], call: TrustCall): MaybePromise<readonly boolean[]>
  /** Remembers that the user approved a command as it is now. */
  approve?(command: PromptCommand, call: TrustCall): MaybePromise<void>
}
