import type { Message } from '../executor.js'

/** Returns the messages of an invocation that are for the model, each with the id of the tool call that it answers. */
export function forModel(messages: readonly Message[], toolUseId: string | undefined): readonly Message[] {
  return messages
    .filter(message => !isForPeople(message))
    .map(message => (message.toolUseId === undefined && toolUseId !== undefined ? { ...message, toolUseId } : message))
}

/** Joins the texts of the user's messages of an invocation, such as the text of a skill. */
export function givenText(messages: readonly Message[]): string {
  return messages
    .filter(({ type }) => type === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap(block => (block.type === 'text' ? [block.text] : [])),
    )
    .join('\n')
}

/** Returns the messages without the texts that {@link givenText} joins. Pictures of a skill stay messages. */
export function withoutText(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap(message => {
    if (message.type !== 'user') return [message]
    const content = typeof message.content === 'string' ? [] : message.content.filter(({ type }) => type !== 'text')
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}

/** True for progress, and for the line that shows people which skill is running. */
function isForPeople({ type, content }: Message): boolean {
  return (
    type === 'progress' || (type === 'user' && typeof content === 'string' && content.startsWith('<command-message>'))
  )
}
