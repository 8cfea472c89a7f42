import { isAbortError, messageOf, SkillsError, type MaybePromise, abortError, type KindAccess } from '@skills/core'
import { findCode } from './code.js'
import type { ProviderAnswer, PromptCommand } from '@skills/core'
import type { Expander, Lexed, Token, EvaluateContext, ExpandCall, Frame } from './expander.js'

/**
 * Returns a body without the white space that a distribution trims.
 * @param trims `blank-lines`: removes the blank lines before its first line, which usually follow frontmatter; `true`:
 * removes white space around it
 */
export function trimmed(body: string, trims: 'blank-lines' | boolean): string {
  if (trims === 'blank-lines') return body.replace(/^(?:[ \t]*\r?\n)+/, '')
  return trims ? body.trim() : body
}

/**
 * Calls an expander. An error that is neither a `SkillsError` nor an abort becomes `E_PROVIDER_FAILED` with the
 * expander's name.
 */
async function asking<T>(expander: string, ask: () => MaybePromise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw blamed(expander, error)
  }
}

/** Does the same synchronously. */
function askingNow<T>(expander: string, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw blamed(expander, error)
  }
}

function blamed(expander: string, error: unknown): unknown {
  if (SkillsError.is(error) || isAbortError(error)) return error
  return new SkillsError('E_PROVIDER_FAILED', `The expander "${expander}" failed: ${messageOf(error)}`, {
    cause: error,
  })
}

/** Makes the error of an expander that returned an invalid answer. */
function noAnswer(expander: string, what: string): SkillsError {
  return new SkillsError('E_PROVIDER_FAILED', `The expander "${expander}" ${what}.`, {
    hint: 'Report this problem to the author of that expander.',
  })
}

/** Expander with the id that its tokens carry. */
export type NamedExpander = ProviderAnswer<Expander>

/**
 * Finds the tokens of a body, in order and without overlap; the rest is text. At each position the first expander that
 * recognises a token gets it. The text `inner` of a token is searched for tokens of the other expanders. See
 * docs/reference/expansion.md, "Expansion".
 * @param expanders in provider order
 * @throws SkillsError `E_PROVIDER_FAILED` if an expander throws, or returns a token that is empty or beyond the text
 */
export function tokenize(body: string, expanders: readonly NamedExpander[], command: PromptCommand): readonly Token[] {
  const code = findCode(body)
  const tables = new Map<string, ClaimTable>()
  const tableOf = (asked: readonly NamedExpander[]): ClaimTable => {
    const key = JSON.stringify(asked.map(({ id }) => id))
    const known = tables.get(key) ?? claimTable(asked)
    tables.set(key, known)
    return known
  }
  const within = (
    start: number,
    limit: number,
    asked: readonly NamedExpander[],
    isNested: boolean,
  ): readonly Token[] => {
    const tokens: Token[] = []
    const { pattern, claimants } = tableOf(asked)
    if (pattern === undefined) return tokens
    // Text after the end of a nested part must not change what is recognised in it.
    const text = body.slice(0, limit)
    const tokenAt = (at: number): Token | undefined => {
      const context = { command, isFenced: code.isFenced(at), isCode: code.isCode(at), isNested }
      for (const { id, value } of claimants.get(text.charCodeAt(at)) ?? []) {
        const lexed = askingNow(id, () => value.lex(text, at, context))
        if (lexed === undefined) continue
        const { end, inner, data } = checked(lexed, at, limit, id)
        const children =
          inner === undefined
            ? []
            : within(
                inner.start,
                inner.end,
                asked.filter(other => other.id !== id),
                true,
              )
        return { expander: id, start: at, end, text: text.slice(at, end), data, children, inner }
      }
      return undefined
    }
    for (let at = nextMatch(pattern, text, start); at >= 0;) {
      const token = tokenAt(at)
      if (token !== undefined) tokens.push(token)
      at = nextMatch(pattern, text, token?.end ?? at + 1)
    }
    return tokens
  }
  return within(0, body.length, expanders, false)
}

interface ClaimTable {
  /** Pattern of the next character that an expander claims; undefined if none claims any. */
  readonly pattern: RegExp | undefined
  /** Expanders that claim a character, by its UTF-16 code unit. */
  readonly claimants: ReadonlyMap<number, readonly NamedExpander[]>
}

function claimTable(expanders: readonly NamedExpander[]): ClaimTable {
  const claimants = new Map<number, NamedExpander[]>()
  for (const expander of expanders) {
    for (const unit of new Set(Array.from(expander.value.claims, character => character.charCodeAt(0)))) {
      const others = claimants.get(unit)
      if (others === undefined) claimants.set(unit, [expander])
      else others.push(expander)
    }
  }
  const units = [...claimants.keys()].map(unit => `\\u${unit.toString(16).padStart(4, '0')}`)
  return { pattern: units.length === 0 ? undefined : new RegExp(`[${units.join('')}]`, 'g'), claimants }
}

function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

function checked(lexed: Lexed, at: number, limit: number, id: string): Lexed {
  const { end, inner } = lexed
  const isWithin = (start: number, stop: number, low: number, high: number): boolean =>
    Number.isInteger(start) && Number.isInteger(stop) && low <= start && start <= stop && stop <= high
  if (!isWithin(at + 1, end, at + 1, limit))
    throw noAnswer(id, `gave a token from ${at} to ${String(end)} in a text of ${limit} characters`)
  if (inner !== undefined && !isWithin(inner.start, inner.end, at, end)) {
    throw noAnswer(
      id,
      `gave a part from ${String(inner.start)} to ${String(inner.end)} of a token from ${at} to ${end}`,
    )
  }
  return lexed
}

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

/**
 * Most characters of an expanded text. Without a limit, a long argument that a skill inserts many times could fill the
 * memory.
 */
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
    if (expander === undefined) throw noAnswer(token.expander, 'is not one of the expanders of this text')
    const value: unknown = await asking(token.expander, () => expander.evaluate(token, evaluateContext))
    if (value !== undefined && typeof value !== 'string')
      throw noAnswer(token.expander, `gave a value that is not text for "${token.text.slice(0, 80)}"`)
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
          noAnswer(child.expander, 'asked for the value of a token that is not nested in another token'),
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
 * Calls {@link expand} with the expanders of a provider's context: `expandWith(ctx.use('expander'), template, …)`. The
 * expanders are collected once, because one access for each of thousands of tokens would take longer than the
 * evaluation of the tokens. Rejects as {@link expand} does, and with errors of setting an expander up.
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
      `With these arguments, the text of "${this.name}" has more than ${maxExpandedLength} characters.`,
      { hint: 'Give shorter arguments, or let the skill refer to its arguments less often.' },
    )
  }
}

/** Returns the line breaks that end a text with one blank line. */
function gapAfter(text: string): string {
  if (text === '' || /\n\r?\n$/.test(text)) return ''
  return text.endsWith('\n') ? '\n' : '\n\n'
}
