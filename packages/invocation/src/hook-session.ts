import { decide, type HookVerdict } from './hooks.js'
import type { InSession } from './session/in-session.js'
import type { Skills } from '@skills/core'

export interface SessionCall extends InSession {
  /** Cause, such as `startup`, `resume`, `clear` or `logout`. */
  readonly reason?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Begins a session: asks the hooks of `SessionStart`, including those of plugin manifests, and emits `session:start`.
 * The `context` of the returned verdict is for the model. Rejects as {@link decide} does.
 */
export async function startSession(
  skills: Pick<Skills, 'use' | 'signal' | 'emit'>,
  { reason = 'startup', sessionId, signal }: SessionCall = {},
): Promise<HookVerdict> {
  const verdict = await decide(skills, 'SessionStart', { reason, sessionId }, { signal })
  skills.emit('session:start', { reason, ...(sessionId !== undefined && { sessionId }) })
  return verdict
}

/**
 * Ends a session: asks the hooks of `SessionEnd`, removes all hooks, and emits `session:end`. Rejects as {@link decide}
 * does.
 */
export async function endSession(
  skills: Pick<Skills, 'use' | 'signal' | 'emit'>,
  { reason = 'other', sessionId, signal }: SessionCall = {},
): Promise<void> {
  await decide(skills, 'SessionEnd', { reason, sessionId }, { signal })
  skills.emit('session:end', { reason, ...(sessionId !== undefined && { sessionId }) })
}
