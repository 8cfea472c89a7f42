import type { SessionValue } from '@skills/invocation'
import type { ModelMessage } from 'ai'

/**
 * A conversation between two lines of its user, as JSON: `conversation.state()` gives it, and `Conversation.open` takes
 * it.
 */
export interface ConversationState {
  readonly version: 1
  /** Its skills, hooks, sent names, and what lasts of what skills ask for. */
  readonly session: SessionValue
  /** As the model has them. */
  readonly messages: readonly ModelMessage[]
  /** What the model is to be told with the next line. */
  readonly news: readonly string[]
  /** That the model read last. */
  readonly tokens: number
  /** Ids of recorded runs whose reports it has; absent in an engine that keeps no runs. */
  readonly reports?: readonly string[] | undefined
}

/** What of a kept conversation can be gone on with. */
export interface KeptState extends Required<Pick<ConversationState, 'messages' | 'news' | 'tokens'>> {
  readonly id: string | undefined
  readonly session: unknown
  readonly reports: readonly string[]
  /** Sentences on what cannot be. */
  readonly lost: readonly string[]
}

const nothing = { id: undefined, session: undefined, messages: [], news: [], tokens: 0, reports: [] }

/** Reads what was kept, perhaps by an older version or cut off, part by part. */
export function readState(state: unknown): KeptState {
  if (typeof state !== 'object' || state === null)
    return { ...nothing, lost: ['The kept conversation is no object, so nothing of it was restored.'] }
  const {
    version,
    session,
    messages,
    news = [],
    tokens = 0,
    reports = [],
  }: Partial<Record<keyof ConversationState, unknown>> = state
  if (version !== 1) {
    const kept =
      version === undefined ? 'has no version' : `has version ${JSON.stringify(version)}, and 1 is known here`
    return { ...nothing, lost: [`The kept conversation ${kept}, so nothing of it was restored.`] }
  }
  const lost: string[] = []
  const id: unknown = typeof session === 'object' && session !== null ? Reflect.get(session, 'id') : undefined
  if (!isMessages(messages)) lost.push('The messages of the kept conversation are broken, so it begins anew.')
  if (!isTexts(news)) lost.push('What the model was to be told with the next line is broken, and was lost.')
  if (!isTexts(reports)) lost.push('Which runs it had reports of is broken, so that some may be told again.')
  return {
    id: typeof id === 'string' && id !== '' ? id : undefined,
    session,
    messages: isMessages(messages) ? messages : [],
    news: isTexts(news) ? news : [],
    tokens: typeof tokens === 'number' ? tokens : 0,
    reports: isTexts(reports) ? reports : [],
    lost,
  }
}

/** The library checks what is in a message when the model is asked. */
function isMessages(value: unknown): value is readonly ModelMessage[] {
  return (
    Array.isArray(value) &&
    value.every(one => typeof one === 'object' && one !== null && 'role' in one && 'content' in one)
  )
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}
