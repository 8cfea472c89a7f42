import type { AgentSessionValue } from '@skills/host/session'
import type { UIMessage } from 'ai'

/** One chat of one person between two requests, as JSON. */
export interface ChatValue {
  readonly version: 1
  /** Number of answers so far. A store shared by several servers refuses a value that does not follow its own. */
  readonly turn: number
  /** Messages as the page shows them. They are stored here: a page can only add to them. */
  readonly messages: readonly UIMessage[]
  /** Texts that the model reads in place of messages of the user, by id: those of skills that were typed. */
  readonly texts: Readonly<Record<string, string>>
  readonly session: AgentSessionValue
}

/** Store of chats. Each method gets the person, and must never return or change the chat of another person. */
export interface Chats {
  read(person: string, chat: string): Promise<ChatValue | undefined>
  /** Stores a value. Rejects if it could not; the page is then told. */
  write(person: string, chat: string, value: ChatValue): Promise<void>
}

/** Makes a store in memory, for trying the route out. Its chats are lost when the process ends. */
export function memoryChats(): Chats {
  const kept = new Map<string, ChatValue>()
  const keyOf = (person: string, chat: string): string => JSON.stringify([person, chat])
  return {
    read: async (person, chat) => kept.get(keyOf(person, chat)),
    write: async (person, chat, value) => void kept.set(keyOf(person, chat), value),
  }
}
