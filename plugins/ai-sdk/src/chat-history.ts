import { isToolUIPart, type UIMessage } from 'ai'
import { RefusedRequest, type ChatRequest } from './chat-request.js'

/** Messages that the model has to answer: the stored messages, followed by the message that the page adds. */
export interface Asked {
  readonly messages: UIMessage[]
  /** Message that the user typed. Undefined if a question was answered, or if an answer is repeated. */
  readonly line: UIMessage | undefined
}

const unanswered = 'The user went on without an answer.'

/** Adds the last message of a page to the stored messages. Throws a {@link RefusedRequest}. */
export function askedBy({ trigger, messageId, last }: ChatRequest, kept: readonly UIMessage[]): Asked {
  if (trigger === 'regenerate-message') {
    const at = messageId === undefined ? kept.length - 1 : kept.findIndex(({ id }) => id === messageId)
    const end = kept[at]?.role === 'assistant' ? at : at + 1
    if (at < 0 || end === 0) throw new RefusedRequest(409, 'The message that should be answered again does not exist.')
    return { messages: kept.slice(0, end), line: undefined }
  }
  if (last === undefined) throw new RefusedRequest(400, 'The request has no message.')
  if (last.role === 'user') {
    const at = kept.findIndex(({ id }) => id === last.id)
    if (at >= 0 && kept[at]?.role !== 'user')
      throw new RefusedRequest(409, 'Another message already has the id of this message.')
    // A message that was sent before is replaced, and everything after it is dropped.
    const before = at < 0 ? kept : kept.slice(0, at)
    return { messages: [...before.map(unansweredIn), last], line: last }
  }
  const asking = kept.at(-1)
  if (asking === undefined || asking.id !== last.id || !asking.parts.some(isAsking))
    throw new RefusedRequest(409, 'There is no question in this chat that waits for an answer.')
  const answers = new Map(
    last.parts.flatMap(part =>
      isToolUIPart(part) && part.state === 'approval-responded' ? [[part.approval.id, part.approval]] : [],
    ),
  )
  const now = answered(asking, id => answers.get(id))
  return { messages: [...kept.slice(0, -1), now], line: undefined }
}

type Part = UIMessage['parts'][number]

const isAsking = (part: Part): boolean => isToolUIPart(part) && part.state === 'approval-requested'

/** Returns the message with the answers to its questions. A missing answer counts as a no. */
function answered(
  message: UIMessage,
  answerTo: (id: string) => { readonly approved: boolean; readonly reason?: string } | undefined,
): UIMessage {
  return inQuestions(message, id => {
    const { approved, reason } = answerTo(id) ?? { approved: false, reason: unanswered }
    return {
      state: 'approval-responded',
      approval: { id, approved: approved === true, ...(typeof reason === 'string' && { reason }) },
    }
  })
}

/** Returns the message with its questions denied, because they will not be answered any more. */
function unansweredIn(message: UIMessage): UIMessage {
  return inQuestions(message, id => ({ state: 'output-denied', approval: { id, approved: false, reason: unanswered } }))
}

function inQuestions(message: UIMessage, to: (id: string) => object): UIMessage {
  if (!message.parts.some(isAsking)) return message
  return {
    ...message,
    parts: message.parts.map(part =>
      isToolUIPart(part) && part.state === 'approval-requested'
        ? (Object.assign({}, part, to(part.approval.id)) as Part)
        : part,
    ),
  }
}
