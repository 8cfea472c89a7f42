import type { Message } from '@skills/invocation'
import type { ModelMessage, UserContent } from 'ai'

/** What of an invocation the model reads, in the form of the AI SDK. */
export function forConversation(messages: readonly Message[]): readonly ModelMessage[] {
  return messages.filter(({ isMeta, content }) => isMeta === true && content.length > 0).map(({ content }) => ({ role: 'user', content: contentOf(content) }))
}

function contentOf(content: Message['content']): UserContent {
  if (typeof content === 'string') return content
  return content.map(block => block.type === 'text' ? { type: 'text', text: block.text } : { type: 'image', image: block.data, mediaType: block.mimeType })
}
