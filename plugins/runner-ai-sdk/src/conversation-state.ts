import type { AgentSessionValue } from '@skills/host/session'
import type { ModelMessage } from 'ai'

/** Conversation between two lines of its user, as JSON: the result of `state()`, and an option of `converse`. */
export interface ConversationState {
  readonly version: 1
  /** State of the session: skills, hooks, listed names, and lasting settings of skills. */
  readonly session: AgentSessionValue
  /** Messages as the model has them. */
  readonly messages: readonly ModelMessage[]
  /** Number of tokens that the model read last. */
  readonly tokens: number
}

/** Part of a stored conversation that can be restored. */
export interface KeptState extends Pick<ConversationState, 'messages' | 'tokens'> {
  readonly session: unknown
  /** Sentences on the parts that cannot be restored. */
  readonly lost: readonly string[]
}

const nothing = { session: undefined, messages: [], tokens: 0 }

/** Reads a stored conversation part by part, because it may be of an older version or cut off. */
export function readState(state: unknown): KeptState {
  if (typeof state !== 'object' || state === null)
    return { ...nothing, lost: ['The kept conversation is not an object, so nothing of it was restored.'] }
  const { version, session, messages, tokens }: Partial<Record<keyof ConversationState, unknown>> = state
  if (version !== 1) {
    const kept =
      version === undefined
        ? 'has no version'
        : `has version ${JSON.stringify(version)}, but only version 1 is known here`
    return { ...nothing, lost: [`The kept conversation ${kept}, so nothing of it was restored.`] }
  }
  return {
    session,
    tokens: typeof tokens === 'number' ? tokens : 0,
    ...(isMessages(messages)
      ? { messages, lost: [] }
      : {
          messages: [],
          lost: ['The messages of the kept conversation are broken, so the conversation starts from the beginning.'],
        }),
  }
}

/** True for a list of messages. The library checks their content when the model is asked. */
function isMessages(value: unknown): value is readonly ModelMessage[] {
  return (
    Array.isArray(value) &&
    value.every(one => typeof one === 'object' && one !== null && 'role' in one && 'content' in one)
  )
}
