import type { Message } from '@skills/invocation'
import type { ContentBlock } from '@skills/core'
import type { UserContent, UserModelMessage } from 'ai'

/** Converts blocks of a user message for the AI SDK. */
export function userContent(blocks: readonly ContentBlock[]): Exclude<UserContent, string> {
  return blocks.map(block =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'image', image: block.data, mediaType: block.mimeType },
  )
}

/** Converts messages for a model of the AI SDK. Attachments are left out, because they are for the host. */
export function modelMessages(messages: readonly Message[]): readonly UserModelMessage[] {
  return messages
    .filter(({ type, content }) => type === 'user' && content.length > 0)
    .map(({ content }) => ({ role: 'user', content: typeof content === 'string' ? content : userContent(content) }))
}
