import type { ContentBlock } from '@skills/core'
import type { UserModelMessage } from 'ai'

/** The messages that a conversation begins with, in the form of the AI SDK. */
export function firstMessages(messages: readonly (readonly ContentBlock[])[]): UserModelMessage[] {
  return messages.map(blocks => ({
    role: 'user',
    content: blocks.map(block => block.type === 'text' ? { type: 'text', text: block.text } : { type: 'image', image: block.data, mediaType: block.mimeType }),
  }))
}
