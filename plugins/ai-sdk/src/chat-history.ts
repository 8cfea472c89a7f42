import { isToolUIPart, type UIMessage } from 'ai'
import { RefusedRequest, type ChatRequest } from './chat-request.js'

/** What is to be answered: the messages kept, and what the page adds to them. */
export interface Asked {
  readonly messages: UIMessage[]
  /** What the user typed; undefined where a question was answered, or an answer is asked for anew. */
  readonly line: UIMessage | undefined
}

const unanswered = 'The user went on without an answer.'

/** Adds what a page sent to the messages kept. Throws a {@link RefusedRequest}. */
export function askedBy({ trigger, messageId, last }: ChatRequest, kept: readonly UIMessage[]): Asked {
  if (trigger === 'regenerate-message') {
    const at = messageId === undefined ? kept.length - 1 : kept.findIndex(({ id }) => id === messageId)
    const end = kept[at]?.role === 'assistant' ? at : at + 1
    if (at < 0 || end === 0) throw new RefusedRequest(409, 'There is no such message to be answered anew.')
    return { messages: kept.slice(0, end), line: undefined }
  }
  if (last === undefined) throw new RefusedRequest(400, 'There is no message.')
  if (last.role === 'user') {
    const at = kept.findIndex(({ id }) => id === last.id)
    if (at >= 0 && kept[at]?.role !== 'user') throw new RefusedRequest(409, 'The id of this message is taken.')
    // One that was sent before takes its place, and what followed from it is gone.
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

/** The message with the answers to its questions. One without an answer is a no. */
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

/** The message as one whose questions will have no answer any more. */
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
