import type { AgentSessionValue } from '@skills/host/session'
import type { ModelMessage } from 'ai'

/** A conversation between two lines of its user, as JSON: `state()` gives it, and `converse` takes it. */
export interface ConversationState {
  readonly version: 1
  /** Its skills, hooks, sent names, and what lasts of what skills ask for. */
  readonly session: AgentSessionValue
  /** As the model has them. */
  readonly messages: readonly ModelMessage[]
  /** That the model read last. */
  readonly tokens: number
}

/** What of a kept conversation can be gone on with. */
export interface KeptState extends Pick<ConversationState, 'messages' | 'tokens'> {
  readonly session: unknown
  /** Sentences on what cannot be. */
  readonly lost: readonly string[]
}

const nothing = { session: undefined, messages: [], tokens: 0 }

/** Reads what was kept, perhaps by an older version or cut off, part by part. */
export function readState(state: unknown): KeptState {
  if (typeof state !== 'object' || state === null)
    return { ...nothing, lost: ['The kept conversation is no object, so nothing of it was restored.'] }
  const { version, session, messages, tokens }: Partial<Record<keyof ConversationState, unknown>> = state
  if (version !== 1) {
    const kept =
      version === undefined ? 'has no version' : `has version ${JSON.stringify(version)}, and 1 is known here`
    return { ...nothing, lost: [`The kept conversation ${kept}, so nothing of it was restored.`] }
  }
  return {
    session,
    tokens: typeof tokens === 'number' ? tokens : 0,
    ...(isMessages(messages)
      ? { messages, lost: [] }
      : { messages: [], lost: ['The messages of the kept conversation are broken, so it begins anew.'] }),
  }
}

/** The library checks what is in a message when the model is asked. */
function isMessages(value: unknown): value is readonly ModelMessage[] {
  return (
    Array.isArray(value) &&
    value.every(one => typeof one === 'object' && one !== null && 'role' in one && 'content' in one)
  )
}
