import { decide, type HookVerdict } from './hooks.js'
import type { InSession } from './session/in-session.js'
import type { Skills } from '@skills/core'

export interface SessionCall extends InSession {
  /** What brought it about, as `startup`, `resume`, `clear` or `logout`. */
  readonly reason?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Begins a session: asks the hooks of `SessionStart`, those of plugins' manifests among them, and emits
 * `session:start`. What they have for the model is in the `context` of the verdict. Rejects as {@link decide} does.
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
 * Ends a session: tells the hooks of `SessionEnd`, after which there are none, and emits `session:end`. Rejects as
 * {@link decide} does.
 */
export async function endSession(
  skills: Pick<Skills, 'use' | 'signal' | 'emit'>,
  { reason = 'other', sessionId, signal }: SessionCall = {},
): Promise<void> {
  await decide(skills, 'SessionEnd', { reason, sessionId }, { signal })
  skills.emit('session:end', { reason, ...(sessionId !== undefined && { sessionId }) })
}
