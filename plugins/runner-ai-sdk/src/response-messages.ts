import type { ModelMessage } from 'ai'

// In version 7 of the AI SDK, the messages of an answer that took several steps have a property of their own, and those
// that `prepareStep` returned for a step are given to the next one too.

interface Answered {
  readonly response: PromiseLike<{ readonly messages?: readonly ModelMessage[] }>
}

/**
 * Returns the messages of all steps of an answer. Called only after its stream has been read: before, it would reject
 * without a handler if the stream fails.
 */
export async function responseMessages(result: Answered): Promise<readonly ModelMessage[]> {
  if ('responseMessages' in result) return (await result.responseMessages) as readonly ModelMessage[]
  return (await result.response).messages ?? []
}

/** Returns the conversation before a step, without messages that were added for an earlier step. */
export function conversationOf(given: { readonly messages: readonly ModelMessage[] }): readonly ModelMessage[] {
  if (!('initialMessages' in given) || !('responseMessages' in given)) return given.messages
  const { initialMessages, responseMessages: answers } = given as typeof given & {
    readonly initialMessages: readonly ModelMessage[]
    readonly responseMessages: readonly ModelMessage[]
  }
  return [...initialMessages, ...answers]
}
