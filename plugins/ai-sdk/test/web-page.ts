import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  isToolUIPart,
  type UIMessage,
} from 'ai'
import { createServer, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'

/** Serves a route on this machine. */
export async function served(route: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer((incoming, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    void route(requestOf(incoming, gone.signal)).then(({ status, headers, body }) => {
      response.writeHead(status, Object.fromEntries(headers))
      if (body === null) return response.end()
      return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]).pipe(response)
    })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/chat`
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const hasBody = incoming.method === 'POST'
  return new Request(`http://127.0.0.1${incoming.url ?? ''}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
}

/** Chat of the AI SDK, as `useChat` has it without React, on one page of one person. */
export class Page extends AbstractChat<UIMessage> {
  #finished = (): void => {}

  constructor(url: string, person: string, id = 'chat-1', messages: UIMessage[] = []) {
    const state = {
      status: 'ready' as const,
      error: undefined,
      messages,
      pushMessage: (message: UIMessage) => void messages.push(message),
      popMessage: () => void messages.pop(),
      replaceMessage: (at: number, message: UIMessage) => void messages.splice(at, 1, message),
      snapshot: <T>(thing: T): T => structuredClone(thing),
    }
    super({
      id,
      state,
      transport: new DefaultChatTransport({ api: url, headers: { 'x-person': person } }),
      onFinish: () => this.#finished(),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    })
  }

  /** Ids of the questions that wait for an answer. */
  get questions(): readonly string[] {
    return (this.lastMessage?.parts ?? []).flatMap(part =>
      isToolUIPart(part) && part.state === 'approval-requested' ? [part.approval.id] : [],
    )
  }

  /** Answers the only question and waits for the end of the model's answer. */
  async answer(approved: boolean): Promise<void> {
    const finished = new Promise<void>(resolve => {
      this.#finished = resolve
    })
    await this.addToolApprovalResponse({ id: this.questions[0] ?? '', approved })
    await finished
  }

  /** Visible parts: the texts, and the states of calls. */
  get shown(): readonly string[] {
    return this.messages.flatMap(({ role, parts }) =>
      parts.flatMap(part => {
        if (part.type === 'text') return `${role}: ${part.text}`
        return 'toolCallId' in part ? `${part.type} ${part.state}` : []
      }),
    )
  }
}
