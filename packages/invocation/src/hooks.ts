import type { MaybePromise, PromptCommand, Skills } from '@skills/core'
import type { TrustLevel } from './trust.js'

/** What a skill's hooks can be registered for. See docs/reference.md, "Hooks of skills". */
export const skillHookEvents = [
  'PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Notification', 'Stop', 'SubagentStop', 'PreCompact', 'SessionStart', 'SessionEnd',
] as const

export type SkillHookEvent = (typeof skillHookEvents)[number]

/** What happens, or is about to. A hook gets all of it as JSON. */
export interface HookPayload {
  /** The tool that is to be called, or was; matchers look at it. */
  readonly toolName?: string | undefined
  readonly toolInput?: unknown
  readonly toolResponse?: unknown
  readonly prompt?: string | undefined
  readonly message?: string | undefined
  readonly reason?: string | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
}

/** A hook may block and say why. None ever allows. */
export interface HookVerdict {
  readonly block?: boolean | undefined
  /** One sentence, of the first that blocks. */
  readonly reason?: string | undefined
}

/** Whose hooks they are, and for how long. */
export interface HookOwner {
  readonly command: PromptCommand
  readonly trust: TrustLevel
  /** Hooks of a fork act in that fork alone and end with it. */
  readonly agentId?: string | undefined
}

/** Keeps the hooks that skills declare, and asks them. See docs/reference.md, "Hooks of skills". */
export interface Hooks {
  /** Registers what a skill declares; gives what undoes it. What is wrong with a hook is reported and costs it alone. */
  register(owner: HookOwner, call: { readonly signal: AbortSignal }): MaybePromise<() => void>
  /** Asks the hooks of an event in the order of their registration. */
  decide(event: SkillHookEvent, payload: HookPayload, call: { readonly signal: AbortSignal }): MaybePromise<HookVerdict>
}

const pass: HookVerdict = {}

/**
 * Asks the hooks of skills about what is about to happen, or tells them what has happened; the one way for a host and for
 * executors. Without a provider nothing blocks. Rejects with an `AbortError` when the signal aborts.
 */
export async function decide(
  skills: Pick<Skills, 'use'>, event: SkillHookEvent, payload: HookPayload, { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<HookVerdict> {
  return await skills.use('hooks').first((hooks, call) => hooks.decide(event, payload, call), { signal }) ?? pass
}
