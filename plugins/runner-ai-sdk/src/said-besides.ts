import type { ModelMessage } from 'ai'

/**
 * What a model is told besides the results of its tools, each text at the place in the conversation where it was said.
 */
export class SaidBesides {
  readonly #said: { readonly at: number; readonly message: ModelMessage }[] = []
  readonly #waiting: string[] = []

  say(text: string): void {
    this.#waiting.push(text)
  }

  /** @param messages of the conversation so far, as the library knows it: without what was said besides */
  within(messages: readonly ModelMessage[]): ModelMessage[] {
    if (this.#waiting.length > 0)
      this.#said.push({ at: messages.length, message: { role: 'user', content: this.#waiting.splice(0).join('\n') } })
    const all = [...messages]
    // From the last one, so that places before it stay where they are.
    for (const { at, message } of this.#said.toReversed()) all.splice(at, 0, message)
    return all
  }
}
