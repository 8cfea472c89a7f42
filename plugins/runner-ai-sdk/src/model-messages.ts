import type { Message } from '@skills/invocation'
import type { ContentBlock } from '@skills/core'
import type { UserContent, UserModelMessage } from 'ai'

/** Blocks of a message of the user, in the form of the AI SDK. */
export function userContent(blocks: readonly ContentBlock[]): Exclude<UserContent, string> {
  return blocks.map(block =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'image', image: block.data, mediaType: block.mimeType },
  )
}

/** Messages for a model, in the form of the AI SDK; what is attached to them is for the host. */
export function modelMessages(messages: readonly Message[]): readonly UserModelMessage[] {
  return messages
    .filter(({ type, content }) => type === 'user' && content.length > 0)
    .map(({ content }) => ({ role: 'user', content: typeof content === 'string' ? content : userContent(content) }))
}
