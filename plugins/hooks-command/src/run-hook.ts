import { messageOf, type Host } from '@skills/core'
import type { HookPayload, SkillHookEvent } from '@skills/invocation'
import { hookAnswer, type HookAnswer } from './hook-answer.js'
import { hookCall } from './hook-call.js'
import { hookInput } from './hook-input.js'
import type { CheckedOptions } from './options.js'
import type { ActiveHook } from './active-hook.js'

export interface HookSurroundings {
  readonly host: Host
  readonly options: CheckedOptions
  /** Any of these ends the hook. */
  readonly signals: readonly AbortSignal[]
}

/**
 * Runs one hook. The promise settles when all processes of the hook have ended. It never rejects, not even after an
 * abort.
 */
export async function runHook(
  hook: ActiveHook,
  event: SkillHookEvent,
  payload: HookPayload,
  { host, options, signals }: HookSurroundings,
): Promise<HookAnswer> {
  const limits = { ...options, timeoutMs: hook.timeoutMs ?? options.timeoutMs }
  try {
    const call = hookCall(
      hook.command,
      hook.owner.command,
      { cwd: host.cwd, env: host.env, sessionId: payload.sessionId ?? host.sessionId },
      options,
      hookInput(event, payload, host),
    )
    // Imported on use: a session without hooks never starts a process.
    const { runInGroup } = await import('@skills/process-group')
    const { end, stdout, stderr } = await runInGroup(call, { ...limits, cwd: host.cwd, clock: host.clock, signals })
    return end.by === 'abort' ? { verdict: {}, isSuccess: false } : hookAnswer(event, { end, stdout, stderr }, limits)
  } catch (error) {
    return {
      verdict: {},
      isSuccess: false,
      problem: [`was not run: ${messageOf(error).replace(/\.$/, '')}`, 'Correct what the hook refers to.'],
    }
  }
}
