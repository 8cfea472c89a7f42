import * as s from '@skills/core/schema'
import { messageOf, SkillsError, type MaybePromise } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { AgentSessionOptions, SessionCall } from '@skills/host/internal'
import {
  consumeStream,
  convertToModelMessages,
  createIdGenerator,
  isTextUIPart,
  stepCountIs,
  streamText,
  type LanguageModel,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { askedBy, type Asked } from './chat-history.js'
import { readChatRequest, RefusedRequest, type ChatRequest } from './chat-request.js'
import { aiSdkSkills, aiSdkSkillsOptions } from './skill-tools.js'
import type { Chats, ChatValue } from './chats.js'

export interface SessionMaker {
  session(options: Omit<AgentSessionOptions, 'distribution'>, call?: SessionCall): Promise<AgentSession>
}

const chatRouteOptions = s.options('chatRoute()', {
  /** The result of `openSkills()` of `@skills/host`, one for all chats. */
  skills: s.typed<SessionMaker>('what openSkills() gave', 'session').required(),
  model: s.typed<LanguageModel>('a language model', () => true).required(),
  /**
   * Returns the person of a request, by the host's own session or token and never by the body. For undefined, the route
   * answers 401. Chats are stored by person, so that two people with the same chat id have two chats.
   */
  personOf: s.fn<(request: Request) => MaybePromise<string | undefined>>().required(),
  chats: s.typed<Chats>('chats').required(),
  /** Returns the host's own tools for a person. Default: none. */
  toolsFor: s.fn<(person: string) => MaybePromise<ToolSet>>(),
  /** Most answers of the model to one message. Default: 20. */
  maxSteps: s.number(),
  /** Most bytes of one request. */
  maxBytes: s.number().default(1024 * 1024),
  /** Called with errors and with what could not be restored. The page gets a sentence without details. */
  onError: s.fn<(error: unknown) => void>().required(),
  /** Size of the model's context window in tokens, for the budget of the listing. */
  contextWindow: s.number(),
  effort: s.either(s.number(), s.oneOf('low', 'medium', 'high', 'xhigh', 'max')),
  system: aiSdkSkillsOptions.shape.system,
  modelFor: aiSdkSkillsOptions.shape.modelFor,
})

export interface ChatRouteOptions extends s.OptionsOf<typeof chatRouteOptions> {}

/**
 * Makes a route for `useChat`, for servers with web requests: `POST = chatRoute({ … })`. Each request opens its chat
 * from {@link Chats} and stores the chat again, so that any server can handle the next request. Questions about skills
 * and tools are approval requests of the AI SDK. See docs/reference/adapters.md, "A route for useChat".
 * @returns answers 400, 401, 405, 409 and 413 with `{ error }`; 422 for a line that a skill refuses
 * @throws SkillsError `E_INVALID_OPTION` for an unknown option
 */
export function chatRoute(given: ChatRouteOptions): (request: Request) => Promise<Response> {
  const options = chatRouteOptions.read(given)
  const { personOf, chats, maxBytes } = options
  const busy = new Set<string>()
  return async request => {
    try {
      const person = await personOf(request)
      if (person === undefined || person === '')
        throw new RefusedRequest(401, 'The sender of the request is not known.')
      const wanted = await readChatRequest(request, maxBytes)
      const key = JSON.stringify([person, wanted.chat])
      if (busy.has(key)) throw new RefusedRequest(409, 'This chat is being answered. Wait for the answer to end.')
      busy.add(key)
      const free = (): void => void busy.delete(key)
      try {
        return await answer(options, { person, wanted, kept: await chats.read(person, wanted.chat), free, request })
      } catch (error) {
        free()
        throw error
      }
    } catch (error) {
      if (error instanceof RefusedRequest) return error.response
      options.onError(error)
      if (SkillsError.is(error)) return new RefusedRequest(422, messageOf(error)).response
      return new RefusedRequest(500, 'The request could not be answered.').response
    }
  }
}

interface Turn {
  readonly person: string
  readonly wanted: ChatRequest
  readonly kept: ChatValue | undefined
  readonly request: Request
  /** Lets in the next request of the chat. */
  readonly free: () => void
}

async function answer(options: ChatRouteOptions, { person, wanted, kept, free, request }: Turn): Promise<Response> {
  const { skills, model, chats, onError, maxSteps = 20, contextWindow, effort, system, modelFor } = options
  const { signal } = request
  const asked = askedBy(wanted, kept?.messages ?? [])
  const id = kept === undefined ? crypto.randomUUID() : undefined
  const session = await skills.session({ contextWindow, effort, id, restore: kept?.session }, { signal })
  try {
    for (const { message } of session.lost) onError(new SkillsError('E_STATE', message))
    const texts = await textsOf(session, asked, kept?.texts ?? {}, signal)
    const parts = aiSdkSkills(session, { tools: await options.toolsFor?.(person), system, modelFor, approvals: true })
    const result = streamText({
      ...parts,
      model,
      messages: await convertToModelMessages(
        asked.messages.map(message => inTexts(message, texts)),
        { tools: parts.tools, ignoreIncompleteToolCalls: true },
      ),
      stopWhen: stepCountIs(maxSteps),
      abortSignal: signal,
      onError: ({ error }) => onError(error),
    })
    return result.toUIMessageStreamResponse<UIMessage>({
      originalMessages: asked.messages,
      generateMessageId: createIdGenerator({ size: 16 }),
      // The chat is stored even if the page disconnects.
      consumeSseStream: consumeStream,
      onError: () => 'The answer could not be finished.',
      async onFinish({ messages }) {
        try {
          session.endTurn()
          const value = {
            version: 1,
            turn: (kept?.turn ?? 0) + 1,
            messages,
            texts,
            session: await session.value(),
          } as const
          await chats.write(person, wanted.chat, value)
        } catch (error) {
          onError(error)
          throw error
        } finally {
          await session.close()
          free()
        }
      },
    })
  } catch (error) {
    await session.close()
    throw error
  }
}

/** Returns the texts that the model reads in place of messages, including that of the new one. */
async function textsOf(
  session: AgentSession,
  { line }: Asked,
  texts: ChatValue['texts'],
  signal: AbortSignal,
): Promise<ChatValue['texts']> {
  if (line === undefined) return texts
  const typed = line.parts
    .filter(isTextUIPart)
    .map(({ text }) => text)
    .join('\n')
  const { text: read } = await session.send(typed, { signal })
  return read === typed ? texts : { ...texts, [line.id]: read }
}

function inTexts(message: UIMessage, texts: ChatValue['texts']): UIMessage {
  const text = Object.hasOwn(texts, message.id) ? texts[message.id] : undefined
  if (text === undefined || message.role !== 'user') return message
  return { ...message, parts: [{ type: 'text', text }, ...message.parts.filter(part => !isTextUIPart(part))] }
}
