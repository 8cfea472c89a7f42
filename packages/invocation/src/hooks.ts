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
 * Optional part of a source: hooks that act from the start of a session, before any invocation, such as those of a
 * plugin's manifest.
 */
export interface HookSource {
  /**
   * Returns commands that are in no catalog; each has its hooks in `hooks`. Asked once a session. The source itself
   * reports problems of the files.
   */
  hooks(call: { readonly signal: AbortSignal }): MaybePromise<readonly PromptCommand[]>
}

/** True if a source has hooks of its own: it has a function `hooks`. See docs/reference/hooks.md, "Hooks of skills". */
export function isHookSource<S extends object>(source: S): source is S & HookSource {
  return 'hooks' in source && typeof source.hooks === 'function'
}

/** Events that hooks of skills can be registered for. See docs/reference/hooks.md, "Hooks of skills". */
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

/** Events of released agents (Claude Code 2.1.303) that no engine of ours has. Hooks for them are known, and not run. */
export const otherHookEvents: readonly string[] = [
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'UserPromptExpansion',
  'StopFailure',
  'SubagentStart',
  'PostCompact',
  'Elicitation',
  'ElicitationResult',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Setup',
  'InstructionsLoaded',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'PreModelSwitch',
  'PostModelSwitch',
  'MessageDisplay',
]

/** Types of hooks that released agents run besides `command`. */
export const otherHookTypes: readonly string[] = ['prompt', 'agent', 'http', 'mcp_tool']

/** Data of an event. A hook gets all these data as JSON. */
export interface HookPayload {
  /** Tool that is about to be called, or was called. Matchers are compared with it. */
  readonly toolName?: string | undefined
  readonly toolInput?: unknown
  readonly toolResponse?: unknown
  /** Id of the model's tool call. */
  readonly toolUseId?: string | undefined
  readonly prompt?: string | undefined
  readonly message?: string | undefined
  /** Cause, such as `startup`, `manual` or `logout`. */
  readonly reason?: string | undefined
  /**
   * True if the agent is still running only because a stop hook did not let it end. A hook that heeds this lets it end
   * and so avoids an endless loop.
   */
  readonly stopHookActive?: boolean | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** Undefined for the engine's own session. */
  readonly sessionId?: string | undefined
}

/**
 * Combined answer of the hooks. Hooks can block, but never allow. The texts are output of commands, without control
 * characters.
 */
export interface HookVerdict {
  /**
   * True if the action must not be done. For `Stop` and `SubagentStop`: the agent continues, with the reason as its
   * next message.
   */
  readonly block?: boolean | undefined
  /** Reason of the first hook that blocks or stops. */
  readonly reason?: string | undefined
  /** True if a person may decide: the host may continue if they allow it. */
  readonly ask?: boolean | undefined
  /** True if the agent must end, instead of only skipping this action. */
  readonly stop?: boolean | undefined
  /** Text of all hooks for the model. {@link hookReminder} wraps it. */
  readonly context?: string | undefined
  /** Texts for a person, one for each hook that has one. */
  readonly messages?: readonly string[] | undefined
  /** Keys of the answers that have no effect, as they were written: one object for each answer that has such keys. */
  readonly others?: readonly Readonly<Record<string, unknown>>[] | undefined
}

/** Owner of hooks, and the time for which the hooks are active. */
export interface HookOwner {
  readonly command: PromptCommand
  readonly trust: TrustLevel
  /** Approval of the invocation that registers them: they run only while the skill stays as it was then. */
  readonly approved?: string | undefined
  /** Hooks of a fork act in that fork and in what it starts, and end with it. */
  readonly agentId?: string | undefined
  /** Session that they act in; undefined for the engine's own session. */
  readonly sessionId?: string | undefined
}

/** Active hooks of a session. */
export interface HooksAtWork {
  /** Skills that registered hooks in the main conversation. */
  readonly skills: readonly HookedSkill[]
  /** Hooks with `once` that have succeeded, in the provider's own notation. */
  readonly done: readonly string[]
}

/** Keeps the hooks that skills declare, and runs them. See docs/reference/hooks.md, "Hooks of skills". */
export interface Hooks {
  /**
   * Registers the hooks of a skill, and returns a function that removes them. The same hooks of the same skill are
   * registered once and stay until each registration is undone. A faulty hook is reported and left out; the others are
   * registered.
   */
  register(owner: HookOwner, call: { readonly signal: AbortSignal }): MaybePromise<() => void>
  /**
   * Asks the hooks of an event in order: those of the conversation, those of each fork around the agent from the
   * outermost, then its own, each in the order of their registration. `SessionStart` begins a session. `SessionEnd`
   * ends it and removes all hooks.
   */
  decide(event: SkillHookEvent, payload: HookPayload, call: { readonly signal: AbortSignal }): MaybePromise<HookVerdict>
  /**
   * Returns at once whether any hook would be asked; true if that is not known yet. Without this method, hooks are
   * always asked.
   */
  hasHooks?(event: SkillHookEvent, payload: HookPayload): boolean
  /**
   * Begins a fork. Until it ends, the hooks of the agent that forked are asked for its events too.
   * @param parentId undefined for the conversation
   */
  enter?(agentId: string, parentId: string | undefined, sessionId?: string | undefined): void
  /** Ends a fork: removes the hooks that were registered in it, even if work that it started is still running. */
  forget?(agentId: string): void
  /** Returns the hooks to save with a session. Without this method, hooks are not saved. */
  atWork?(sessionId: string | undefined): HooksAtWork
  /**
   * Resumes a session: hooks that are done, as {@link Hooks.atWork} returned them, do not run in it. Called before any
   * hook is registered.
   */
  resume?(
    sessionId: string | undefined,
    done: readonly string[],
    call: { readonly signal: AbortSignal },
  ): MaybePromise<void>
  /** Removes the hooks of a session that is given up without `SessionEnd`. */
  drop?(sessionId: string | undefined): void
}

const pass: HookVerdict = Object.freeze({})
/** Provider of each engine, remembered after its first answer. */
const known = new WeakMap<object, Hooks>()

/**
 * Asks the hooks of skills about an event that is about to happen, or reports an event that has happened. Hosts and
 * executors call this function. Without a provider of hooks, nothing is blocked. A call is cheap if no hook is
 * registered for the event. Rejects with an `AbortError` when the signal aborts, and with `E_CLOSED` when the engine is
 * closed.
 */
export async function decide(
  skills: Pick<Skills, 'use' | 'signal'>,
  event: SkillHookEvent,
  payload: HookPayload,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<HookVerdict> {
  // Asking the kernel takes ten times as long as finding out that no hook is registered.
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
