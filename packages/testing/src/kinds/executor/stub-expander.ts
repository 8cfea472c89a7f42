/** Part of the expansion context that the stub uses. */
interface Context {
  readonly args: string
  readonly signal: AbortSignal
  authorize(request: { readonly tool: string; readonly content: string }): Promise<{ readonly behavior: string }>
  forbids(action: 'shell'): Promise<string | undefined>
  progress(event: unknown): void
}

const token = /@([a-z]+)@/y

/**
 * Expander that records how an executor uses it. Its tokens are `@args@`; `@brings@`, which becomes the text `@args@`;
 * `@leave@`, which becomes the permission for `id` in a shell and the reason that forbids all shells; `@tells@`, which
 * emits progress; `@waits@`, which waits until the expansion is aborted; and `@fails@`.
 */
export class StubExpander {
  readonly claims = '@'
  /** Number of calls of `lex()` and of `evaluate()`. */
  lexed = 0
  evaluated = 0
  /** Called when `@waits@` waits. */
  onWait: () => void = () => {}

  lex(text: string, at: number): { readonly end: number; readonly data: string } | undefined {
    this.lexed += 1
    token.lastIndex = at
    const [found, word] = token.exec(text) ?? []
    return found === undefined || word === undefined ? undefined : { end: at + found.length, data: word }
  }

  async evaluate({ data }: { readonly data: unknown }, context: Context): Promise<string | undefined> {
    this.evaluated += 1
    switch (data) {
      case 'args':
        return context.args
      case 'brings':
        return '@args@'
      case 'leave':
        return `${(await context.authorize({ tool: 'Bash', content: 'id' })).behavior}, ${(await context.forbids('shell')) ?? 'nothing against it'}`
      case 'tells':
        context.progress({ said: context.args })
        return ''
      case 'fails':
        throw new Error('The expander of the contract fails.')
      case 'waits':
        return this.#wait(context.signal)
      default:
        return undefined
    }
  }

  #wait(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const give = (): void => reject(new DOMException('The invocation was aborted.', 'AbortError'))
      if (signal.aborted) give()
      else signal.addEventListener('abort', give, { once: true })
      this.onWait()
    })
  }
}
