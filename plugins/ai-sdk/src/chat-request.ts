import { safeValidateUIMessages, type UIMessage } from 'ai'
import { z } from 'zod'

/** Request of a page. */
export interface ChatRequest {
  readonly chat: string
  readonly trigger: 'submit-message' | 'regenerate-message'
  /** Id of the message to answer again. */
  readonly messageId: string | undefined
  /** Last message of the page: a new one of the user, or one of the model with answers to questions. */
  readonly last: UIMessage | undefined
}

/** Refusal of a request, with a reason for the page. */
export class RefusedRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  get response(): Response {
    return Response.json({ error: this.message }, { status: this.status })
  }
}

const bodySchema = z.object({
  id: z.string().min(1).max(200),
  messages: z.array(z.unknown()),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  messageId: z.string().nullish(),
})

/**
 * Reads a request of `useChat`. Only the last message of the page is used. Earlier messages come from the server's
 * store, so that a page cannot invent answers or permissions. Rejects with a {@link RefusedRequest}.
 * @param maxBytes most bytes of the body; reading stops if it is longer
 */
export async function readChatRequest(request: Request, maxBytes: number): Promise<ChatRequest> {
  if (request.method !== 'POST') throw new RefusedRequest(405, 'A chat request has to be sent with POST.')
  const body = bodySchema.safeParse(jsonOf(await textOf(request, maxBytes)))
  if (!body.success)
    throw new RefusedRequest(400, `This is not a request of useChat: ${z.prettifyError(body.error).split('\n')[0]}.`)
  const { id, messages, trigger, messageId } = body.data
  return { chat: id, trigger, messageId: messageId ?? undefined, last: await messageOf(messages.at(-1)) }
}

async function messageOf(last: unknown): Promise<UIMessage | undefined> {
  if (last === undefined) return undefined
  const read = await safeValidateUIMessages({ messages: [last] })
  if (!read.success) throw new RefusedRequest(400, 'The last message is not a message of useChat.')
  const [message] = read.data
  if (message?.role === 'system') throw new RefusedRequest(400, 'A page may not send system messages.')
  for (const part of message?.role === 'user' ? message.parts : []) {
    if (part.type !== 'text' && part.type !== 'file')
      throw new RefusedRequest(400, `A message of the user may have texts and files, but not "${part.type}".`)
    // The server would fetch any other address on behalf of the page.
    if (part.type === 'file' && !part.url.startsWith('data:'))
      throw new RefusedRequest(400, 'A file has to be sent as a data: URL.')
  }
  return message
}

async function textOf({ body }: Request, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  // A body may be endless, and its stated length may be wrong.
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) throw new RefusedRequest(413, `A request may have at most ${maxBytes} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RefusedRequest(400, 'The request is not JSON.')
  }
}
