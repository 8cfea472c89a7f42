import type { Skills } from '@skills/core'
import type { SessionProgress } from './session-options.js'

/**
 * Tells a person of a session's forks what they would not see otherwise: calls that were refused, and what hooks have
 * for them. Gives what stops it.
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

/** An executor may tell anything. */
function isShown(event: unknown): event is SessionProgress & { readonly type: 'refused' | 'message' } {
  if (typeof event !== 'object' || event === null || !('type' in event) || !('agentId' in event)) return false
  const isText = (key: string): boolean => typeof Reflect.get(event, key) === 'string'
  return event.type === 'refused'
    ? ['tool', 'content', 'message'].every(isText)
    : event.type === 'message' && ['hookEvent', 'text'].every(isText)
}
