import type { MaybePromise, PromptCommand } from '@skills/core'

/** `remote` comes from a server: nothing of it ever runs, whatever anybody allows. */
export type TrustLevel = 'trusted' | 'untrusted' | 'remote'

export interface TrustVerdict {
  readonly level: TrustLevel
  /** Whether the command is, byte for byte, what the user approved. True for one that needs no approval; false when nobody asked. */
  readonly isApproved: boolean
}

export interface TrustCall {
  readonly signal: AbortSignal
}

/** Says how far a command is trusted. See docs/reference.md, "Trust". */
export interface Trust {
  /** @param asksApproval whether the approval matters, for which every file of the skill is read */
  judge(command: PromptCommand, asksApproval: boolean, call: TrustCall): MaybePromise<TrustVerdict>
  /**
   * Why the user's yes to a command would not count, in one sentence: asked before the user is. Undefined where it would. What it looked
   * at is what the user is then asked about.
   */
  refuses?(command: PromptCommand, call: TrustCall): MaybePromise<string | undefined>
  /** Remembers that the user approved a command as it is now. */
  approve?(command: PromptCommand, call: TrustCall): MaybePromise<void>
}
