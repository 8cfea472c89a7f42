import type { Skills } from '@skills/core'
import type { SessionProgress } from './session-options.js'

/**
 * Reports events of a session's forks that a person would not see otherwise: refused calls, and messages of hooks.
 * Returns a function that stops it.
 */
export function forkProgress(
  skills: Pick<Skills, 'hook'>,
  sessionId: string | undefined,
  progress: (event: SessionProgress) => void,
): () => void {
  return skills.hook('invocation:progress', told => {
    const { event } = told
    if (told.sessionId === sessionId && isShown(event)) progress(event)
  })
}

/** True if an event is to be shown. It is checked, because an executor may emit anything. */
function isShown(event: unknown): event is SessionProgress & { readonly type: 'refused' | 'message' } {
  if (typeof event !== 'object' || event === null || !('type' in event) || !('agentId' in event)) return false
  const isText = (key: string): boolean => typeof Reflect.get(event, key) === 'string'
  return event.type === 'refused'
    ? ['tool', 'content', 'message'].every(isText)
    : event.type === 'message' && ['hookEvent', 'text'].every(isText)
}
