import type { Message } from '../executor.js'

/** What of an invocation's messages goes to the model, each tagged with the tool call it answers. */
export function forModel(messages: readonly Message[], toolUseId: string | undefined): readonly Message[] {
  return messages
    .filter(message => !isForPeople(message))
    .map(message => (message.toolUseId === undefined && toolUseId !== undefined ? { ...message, toolUseId } : message))
}

/** What the user's messages of an invocation say, such as the text of a skill. */
export function givenText(messages: readonly Message[]): string {
  return messages
    .filter(({ type }) => type === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap(block => (block.type === 'text' ? [block.text] : [])),
    )
    .join('\n')
}

/** Progress, and the line that shows a person which skill is at work. */
function isForPeople({ type, content }: Message): boolean {
  return (
    type === 'progress' || (type === 'user' && typeof content === 'string' && content.startsWith('<command-message>'))
  )
}
