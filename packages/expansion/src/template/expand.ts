import { abortError, SkillsError, type KindAccess } from '@skills/core'
import { asking, noAnswer } from './provider-failure.js'
import { tokenize, type NamedExpander } from './tokenize.js'
import type { EvaluateContext, ExpandContext, Expander, Frame, Token } from './expander.js'

/** A token that was evaluated. */
export interface ExpandedToken {
  readonly token: Token
  /** What stands in its place; undefined when it stays as it is written. */
  readonly value: string | undefined
  /** Id of the expander that evaluated it. */
  readonly expander: string
}

export interface Expansion {
  readonly text: string
  /** In the order of evaluation: a nested token before the one that asked for it. */
  readonly tokens: readonly ExpandedToken[]
}

/** Characters that an expansion may come to: long arguments that are referred to often would fill the memory. */
export const maxExpandedLength = 16 * 1024 * 1024

/**
 * Evaluates every token of a template once, one after the other. What a token brings in is never looked into.
 * Only the template of a prompt command is for this: its blocks are what they are. See
 * docs/reference/expansion.md, "Expansion".
 * @param expanders in provider order
 * @throws SkillsError `E_PROVIDER_FAILED` when an expander throws or gives no text; `E_INVALID_SKILL` for more than
 *   {@link maxExpandedLength} characters; AbortError between two tokens
 */
export async function expand(
  body: string,
  expanders: readonly NamedExpander[],
  context: ExpandContext,
): Promise<Expansion> {
  const { command, args, trust, host, sessionId, effort, signal } = context
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
      // One that waits for itself would wait for ever.
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
    const frame = await asking(id, () => expander.frame?.(asked, context) ?? {})
    text.frame(frame)
  }
  stopIfAborted()
  return { text: text.whole(), tokens: evaluated }
}

/**
 * {@link expand} with the expanders that a provider may ask: `expandWith(ctx.use('expander'), template, …)`. They are
 * collected once, since going through the access for each of thousands of tokens takes longer than evaluating them.
 * Rejects as {@link expand} does, and with any error of setting an expander up.
 */
export async function expandWith(
  access: KindAccess<Expander>,
  body: string,
  context: ExpandContext,
): Promise<Expansion> {
  // In an object, so that nothing an expander has makes it look like a promise.
  const expanders = await access.each(expander => ({ expander }), { signal: context.signal })
  return expand(
    body,
    expanders.map(({ id, value }) => ({ id, value: value.expander })),
    context,
  )
}

/** A text that is put together of pieces and that stops growing in time. */
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

/** What makes one blank line of the end of a text. */
function gapAfter(text: string): string {
  if (text === '' || /\n\r?\n$/.test(text)) return ''
  return text.endsWith('\n') ? '\n' : '\n\n'
}
