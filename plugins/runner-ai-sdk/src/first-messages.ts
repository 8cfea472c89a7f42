import type { ContentBlock } from '@skills/core'
import type { UserModelMessage } from 'ai'
import { userContent } from './model-messages.js'

/** The messages that a conversation begins with, in the form of the AI SDK. */
export function firstMessages(messages: readonly (readonly ContentBlock[])[]): UserModelMessage[] {
  return messages.map(blocks => ({ role: 'user', content: userContent(blocks) }))
}
