import type { MaybePromise, PromptCommand, Skills } from '@skills/core'
import type { HookedSkill } from './session/skill-ref.js'
import type { TrustLevel } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    hooks: Hooks
  }
  interface KindMethods {
    /** Asks the hooks of skills, as {@link decide} does. */
    decide(
      event: SkillHookEvent,
      payload: HookPayload,
      options?: { readonly signal?: AbortSignal | undefined },
    ): Promise<HookVerdict>
  }
}

/**
 * What a source may have besides: hooks that hold from the start of a session, without anything being invoked, as those
 * of a plugin's manifest.
 */
export interface HookSource {
  /**
   * Each stands in `hooks` of a command that is in no catalog. Asked once in a session; what is wrong with the files is
   * for the source to report.
   */
  hooks(call: { readonly signal: AbortSignal }): MaybePromise<readonly PromptCommand[]>
}

/**
 * Whether a source has hooks of its own: it has a function of that name. See
 * docs/reference/hooks.md, "Hooks of skills".
 */
export function isHookSource<S extends object>(source: S): source is S & HookSource {
  return 'hooks' in source && typeof source.hooks === 'function'
}

/** What a skill's hooks can be registered for. See docs/reference/hooks.md, "Hooks of skills". */
export const skillHookEvents = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Notification',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionStart',
  'SessionEnd',
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
  /**
   * Whether the agent goes on only because such a hook did not let it stop: one that heeds this lets it stop in the
   * end.
   */
  readonly stopHookActive?: boolean | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** Undefined for the engine's own session. */
  readonly sessionId?: string | undefined
}

/**
 * What the hooks answer together. They may block and say why; none ever allows. Its texts are data that commands wrote,
 * without control characters.
 */
export interface HookVerdict {
  /**
   * What was asked about is not to be done. Of `Stop` and `SubagentStop`: the agent goes on, with the reason as its
   * next message.
   */
  readonly block?: boolean | undefined
  /** Of the first that blocks or stops. */
  readonly reason?: string | undefined
  /** It blocks because a person is to decide: a host that asks one may go on if they allow it. */
  readonly ask?: boolean | undefined
  /** The agent is to end, and not only to leave this be. */
  readonly stop?: boolean | undefined
  /** What the model is to be told besides, of all hooks: {@link hookReminder} puts it in words for it. */
  readonly context?: string | undefined
  /** What a person is to be told, a text for each hook that has one. */
  readonly messages?: readonly string[] | undefined
  /** What nothing heeds of their answers, as it was written: an object for each answer that has such keys. */
  readonly others?: readonly Readonly<Record<string, unknown>>[] | undefined
}

/** Whose hooks they are, and for how long. */
export interface HookOwner {
  readonly command: PromptCommand
  readonly trust: TrustLevel
  /** Hooks of a fork act in that fork and in what it starts, and end with it. */
  readonly agentId?: string | undefined
  /** They act in this session alone; undefined for the engine's own. */
  readonly sessionId?: string | undefined
}

/** Which hooks of a session are in force. */
export interface HooksAtWork {
  /** Skills that registered some in the main conversation. */
  readonly skills: readonly HookedSkill[]
  /** Hooks that were to succeed once and have, in words of the provider. */
  readonly done: readonly string[]
}

/** Keeps the hooks that skills declare, and asks them. See docs/reference/hooks.md, "Hooks of skills". */
export interface Hooks {
  /**
   * Registers what a skill declares; gives what undoes it. The same hooks of the same skill are registered once, and
   * stay until each registration is undone. What is wrong with a hook is reported and costs it alone.
   */
  register(owner: HookOwner, call: { readonly signal: AbortSignal }): MaybePromise<() => void>
  /**
   * Asks the hooks of an event: those of the conversation, then those of each fork around the agent from the outermost,
   * then its own, each in the order of their registration. `SessionStart` begins a session and `SessionEnd` ends it:
   * all hooks go then.
   */
  decide(event: SkillHookEvent, payload: HookPayload, call: { readonly signal: AbortSignal }): MaybePromise<HookVerdict>
  /**
   * Whether any hook would be asked, told without waiting; true where that is not known yet. Without it they are always
   * asked.
   */
  hasHooks?(event: SkillHookEvent, payload: HookPayload): boolean
  /**
   * A fork begins: until it ends, it is asked about the hooks of the agent that forked too. @param parentId undefined
   * for the conversation
   */
  enter?(agentId: string, parentId: string | undefined, sessionId?: string | undefined): void
  /** A fork ended: the hooks that were registered for it go, also for what it started and is still at work. */
  forget?(agentId: string): void
  /** What of a session is to be kept with it. Without it hooks are not kept. */
  atWork?(sessionId: string | undefined): HooksAtWork
  /**
   * A session is taken up again: the hooks that are over, as {@link Hooks.atWork} gave them, are not run in it. Asked
   * before any is registered.
   */
  resume?(
    sessionId: string | undefined,
    done: readonly string[],
    call: { readonly signal: AbortSignal },
  ): MaybePromise<void>
  /** A session is given up without its end being told: its hooks go. */
  drop?(sessionId: string | undefined): void
}

const pass: HookVerdict = Object.freeze({})
/** The provider of each engine, once it was asked. */
const known = new WeakMap<object, Hooks>()

/**
 * Asks the hooks of skills about what is about to happen, or tells them what has happened; the one way for a host and
 * for executors. Without a provider nothing blocks. Costs next to nothing where no hook is registered for it. Rejects
 * with an `AbortError` when the signal aborts, and with `E_CLOSED` when the engine is closed.
 */
export async function decide(
  skills: Pick<Skills, 'use' | 'signal'>,
  event: SkillHookEvent,
  payload: HookPayload,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<HookVerdict> {
  // Asking the kernel takes ten times as long as finding out that there is nothing to ask.
  const before = skills.signal.aborted || signal?.aborted === true ? undefined : known.get(skills)
  if (before?.hasHooks?.(event, payload) === false) return pass
  return (
    (await skills.use('hooks').first(
      (hooks, call) => {
        known.set(skills, hooks)
        return hooks.decide(event, payload, call)
      },
      { signal },
    )) ?? pass
  )
}
