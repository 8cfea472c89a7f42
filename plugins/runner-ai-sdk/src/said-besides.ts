import type { ModelMessage } from 'ai'

/** Texts for a model in addition to the results of its tools, each at its place in the conversation. */
export class SaidBesides {
  readonly #said: { readonly at: number; readonly message: ModelMessage }[] = []
  readonly #waiting: string[] = []

  say(text: string): void {
    this.#waiting.push(text)
  }

  /** @param messages conversation so far as the library has it, without these texts */
  within(messages: readonly ModelMessage[]): ModelMessage[] {
    if (this.#waiting.length > 0)
      this.#said.push({ at: messages.length, message: { role: 'user', content: this.#waiting.splice(0).join('\n') } })
    const all = [...messages]
    // From the last one, so that earlier places do not move.
    for (const { at, message } of this.#said.toReversed()) all.splice(at, 0, message)
    return all
  }
}
