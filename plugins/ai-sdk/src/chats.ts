import type { AgentSessionValue } from '@skills/host/session'
import type { UIMessage } from 'ai'

/** One chat of one person between two requests, as JSON. */
export interface ChatValue {
  readonly version: 1
  /** Counts the answers: a store that several servers share refuses a value that does not follow the one it has. */
  readonly turn: number
  /** As the page shows them. They are the server's own: a page adds to them and changes none. */
  readonly messages: readonly UIMessage[]
  /** What the model reads in place of a message of the user, by its id: the text of skills that were typed. */
  readonly texts: Readonly<Record<string, string>>
  readonly session: AgentSessionValue
}

/** Where chats are kept. Each method is given whose chat it is: a store never answers for another person. */
export interface Chats {
  read(person: string, chat: string): Promise<ChatValue | undefined>
  /** Rejects where the value could not be kept; the page is told then. */
  write(person: string, chat: string, value: ChatValue): Promise<void>
}

/** Chats of this process alone, for trying things out: they are gone with it. */
export function memoryChats(): Chats {
  const kept = new Map<string, ChatValue>()
  const keyOf = (person: string, chat: string): string => JSON.stringify([person, chat])
  return {
    read: async (person, chat) => kept.get(keyOf(person, chat)),
    write: async (person, chat, value) => void kept.set(keyOf(person, chat), value),
  }
}
