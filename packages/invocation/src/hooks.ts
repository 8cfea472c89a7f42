import type { MaybePromise, PromptCommand, Skills } from '@skills/core'
import type { TrustLevel } from './trust.js'

/** What a source may have besides: hooks that hold from the start of a session, without anything being invoked, as those of a plugin's manifest. */
export interface HookSource {
  /** Each stands in `hooks` of a command that is in no catalog. Asked once in a session; what is wrong with the files is for the source to report. */
  hooks(call: { readonly signal: AbortSignal }): MaybePromise<readonly PromptCommand[]>
}

export function isHookSource<S extends object>(source: S): source is S & HookSource {
  return 'hooks' in source && typeof source.hooks === 'function'
}

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
  /** Of the model's tool call. */
  readonly toolUseId?: string | undefined
  readonly prompt?: string | undefined
  readonly message?: string | undefined
  /** What brought it about, as `startup`, `manual` or `logout`. */
  readonly reason?: string | undefined
  /** Whether the agent goes on only because such a hook did not let it stop: one that heeds this lets it stop in the end. */
  readonly stopHookActive?: boolean | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
}

/** A hook may block and say why. None ever allows. */
export interface HookVerdict {
  readonly block?: boolean | undefined
  /** Of the first that blocks, as it gave it, without control characters. */
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
  /**
   * Registers what a skill declares; gives what undoes it. The same hooks of the same skill are registered once, and stay until
   * each registration is undone. What is wrong with a hook is reported and costs it alone.
   */
  register(owner: HookOwner, call: { readonly signal: AbortSignal }): MaybePromise<() => void>
  /**
   * Asks the hooks of an event in the order of their registration. `SessionStart` begins a session and `SessionEnd` ends it: all
   * hooks go then.
   */
  decide(event: SkillHookEvent, payload: HookPayload, call: { readonly signal: AbortSignal }): MaybePromise<HookVerdict>
  /** Whether any hook would be asked, told without waiting; true where that is not known yet. Without it they are always asked. */
  hasHooks?(event: SkillHookEvent, payload: HookPayload): boolean
  /** An agent ended: the hooks that were registered for it go. */
  forget?(agentId: string): void
}

const pass: HookVerdict = Object.freeze({})
/** The provider of each engine, once it was asked. */
const known = new WeakMap<object, Hooks>()

/**
 * Asks the hooks of skills about what is about to happen, or tells them what has happened; the one way for a host and for
 * executors. Without a provider nothing blocks. Costs next to nothing where no hook is registered for it.
 * Rejects with an `AbortError` when the signal aborts, and with `E_CLOSED` when the engine is closed.
 */
export async function decide(
  skills: Pick<Skills, 'use' | 'signal'>, event: SkillHookEvent, payload: HookPayload, { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<HookVerdict> {
  // Asking the kernel takes ten times as long as finding out that there is nothing to ask.
  const before = skills.signal.aborted || signal?.aborted === true ? undefined : known.get(skills)
  if (before?.hasHooks?.(event, payload) === false) return pass
  return await skills.use('hooks').first((hooks, call) => {
    known.set(skills, hooks)
    return hooks.decide(event, payload, call)
  }, { signal }) ?? pass
}
