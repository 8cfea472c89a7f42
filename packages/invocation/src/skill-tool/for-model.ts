import { messageOf, SkillsError, type ContentBlock } from '@skills/core'
import type { Message, Outcome } from '../executor.js'

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

/** Returns a message with each of its texts changed. */
export function withTexts(message: Message, change: (text: string) => string): Message {
  const { content } = message
  return { ...message, content: typeof content === 'string' ? change(content) : blocksWithTexts(content, change) }
}

export function blocksWithTexts(
  content: readonly ContentBlock[],
  change: (text: string) => string,
): readonly ContentBlock[] {
  return content.map(block => (block.type === 'text' ? { ...block, text: change(block.text) } : block))
}

/** Returns an outcome with each text of its messages, and the result of its fork, changed. */
export function outcomeWithTexts(outcome: Outcome, change: (text: string) => string): Outcome {
  const { data, newMessages } = outcome
  return {
    ...outcome,
    data: typeof data['result'] === 'string' ? { ...data, result: change(data['result']) } : data,
    newMessages: newMessages.map(message => withTexts(message, change)),
  }
}

/** Returns an error with its message and its hint changed; the same error if nothing changes. The cause is the error. */
export function errorWithTexts(error: unknown, change: (text: string) => string): unknown {
  const message = messageOf(error)
  const hint = SkillsError.is(error) ? error.hint : undefined
  const [said, advice] = [change(message), hint === undefined ? undefined : change(hint)]
  if (said === message && advice === hint) return error
  const code = SkillsError.is(error) ? error.code : 'E_PROVIDER_FAILED'
  return new SkillsError(code, said, { ...(advice !== undefined && { hint: advice }), cause: error })
}

/** True for progress, and for the line that shows people which skill is running. */
function isForPeople({ type, content }: Message): boolean {
  return (
    type === 'progress' || (type === 'user' && typeof content === 'string' && content.startsWith('<command-message>'))
  )
}
