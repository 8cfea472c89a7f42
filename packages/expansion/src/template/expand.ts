import { abortError, SkillsError, type KindAccess } from '@skills/core'
import { asking, noAnswer } from './provider-failure.js'
import { tokenize, type NamedExpander } from './tokenize.js'
import type { EvaluateContext, ExpandCall, Expander, Frame, Token } from './expander.js'

/** Token that was evaluated. */
export interface ExpandedToken {
  readonly token: Token
  /** Text that replaces it; undefined if it stays as it is written. */
  readonly value: string | undefined
  /** Id of the expander that evaluated it. */
  readonly expander: string
}

export interface Expansion {
  readonly text: string
  /** Tokens in the order of evaluation: a nested token before the one that asked for it. */
  readonly tokens: readonly ExpandedToken[]
}

/** Most characters of an expanded text. Long arguments that are referred to often would fill the memory. */
export const maxExpandedLength = 16 * 1024 * 1024

/**
 * Evaluates every token of a template once, one after the other. Text from a token is not searched for further tokens.
 * Only the template of a prompt command is expanded, not its blocks. See docs/reference/expansion.md, "Expansion".
 * @param expanders in provider order
 * @throws SkillsError `E_PROVIDER_FAILED` if an expander throws or returns no text; `E_INVALID_SKILL` for more than
 * {@link maxExpandedLength} characters; AbortError between two tokens
 */
export async function expand(
  body: string,
  expanders: readonly NamedExpander[],
  context: ExpandCall,
): Promise<Expansion> {
  const { command, args, trust, host, sessionId, effort, signal = new AbortController().signal } = context
  const stopIfAborted = (): void => {
    if (signal.aborted) throw abortError(signal)
  }
  stopIfAborted()
  const byId = new Map(expanders.map(({ id, value }) => [id, value]))
  const tokens = tokenize(body, expanders, command)
  const outermost = new Set(tokens)
  const evaluated: ExpandedToken[] = []
  const nested = new Map<Token, Promise<string | undefined>>()

  const evaluate = async (token: Token): Promise<string | undefined> => {
    stopIfAborted()
    const expander = byId.get(token.expander)
    if (expander === undefined) throw noAnswer(token.expander, 'is none of those that the text is expanded with')
    const value: unknown = await asking(token.expander, () => expander.evaluate(token, evaluateContext))
    if (value !== undefined && typeof value !== 'string')
      throw noAnswer(token.expander, `gave no text for "${token.text.slice(0, 80)}"`)
    evaluated.push({ token, value, expander: token.expander })
    return value
  }
  const evaluateContext: EvaluateContext = {
    command,
    args,
    trust,
    host,
    sessionId,
    effort,
    signal,
    tokens,
    authorize: request => context.authorize(request),
    forbids: action => context.forbids(action),
    progress: event => context.progress(event),
    value(child) {
      // A token that waits for itself would wait forever.
      if (outermost.has(child))
        return Promise.reject(
          noAnswer(child.expander, 'has a token that is not nested in another, whose value was asked for'),
        )
      const value = nested.get(child) ?? evaluate(child)
      nested.set(child, value)
      return value
    },
  }

  const text = new LimitedText(command.name)
  let end = 0
  for (const token of tokens) {
    text.add(body.slice(end, token.start))
    text.add((await evaluate(token)) ?? token.text)
    end = token.end
  }
  text.add(body.slice(end))
  stopIfAborted()

  const asked = evaluated.map(({ token }) => token)
  for (const { id, value: expander } of expanders) {
    const frame = await asking(id, () => expander.frame?.(asked, evaluateContext) ?? {})
    text.frame(frame)
  }
  stopIfAborted()
  return { text: text.whole(), tokens: evaluated }
}

/**
 * Calls {@link expand} with the expanders of a provider's context: `expandWith(ctx.use('expander'), template, …)`. They
 * are collected once, since access for each of thousands of tokens takes longer than evaluating them. Rejects as
 * {@link expand} does, and with errors of setting an expander up.
 */
export async function expandWith(access: KindAccess<Expander>, body: string, context: ExpandCall): Promise<Expansion> {
  // Wrapped in an object, so that an expander with a `then` is not taken for a promise.
  const expanders = await access.each(expander => ({ expander }), { signal: context.signal })
  return expand(
    body,
    expanders.map(({ id, value }) => ({ id, value: value.expander })),
    context,
  )
}

/** Text made of pieces, which throws before it grows too long. */
class LimitedText {
  readonly #pieces: string[] = []
  readonly #before: string[] = []
  readonly #after: { readonly after: string; readonly isAsIs: boolean }[] = []
  #length = 0

  constructor(private readonly name: string) {}

  add(piece: string): void {
    this.#count(piece)
    this.#pieces.push(piece)
  }

  frame({ before, after, isAsIs = false }: Frame): void {
    this.#count(before ?? '')
    this.#count(after ?? '')
    if (before !== undefined) this.#before.push(`${before}\n\n`)
    if (after !== undefined) this.#after.push({ after, isAsIs })
  }

  whole(): string {
    return this.#after.reduce(
      (text, { after, isAsIs }) => `${text}${isAsIs ? '\n\n' : gapAfter(text)}${after}`,
      [...this.#before, ...this.#pieces].join(''),
    )
  }

  #count(piece: string): void {
    this.#length += piece.length
    if (this.#length <= maxExpandedLength) return
    throw new SkillsError(
      'E_INVALID_SKILL',
      `The text of "${this.name}" comes to more than ${maxExpandedLength} characters with these arguments.`,
      { hint: 'Give shorter arguments, or refer to them less often.' },
    )
  }
}

/** Returns the line breaks that end a text with one blank line. */
function gapAfter(text: string): string {
  if (text === '' || /\n\r?\n$/.test(text)) return ''
  return text.endsWith('\n') ? '\n' : '\n\n'
}
