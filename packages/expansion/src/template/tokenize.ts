import { findCode } from './code.js'
import { askingNow, noAnswer } from './provider-failure.js'
import type { ProviderAnswer, PromptCommand } from '@skills/core'
import type { Expander, Lexed, Token } from './expander.js'

/** Expander with the id that its tokens carry. */
export type NamedExpander = ProviderAnswer<Expander>

/**
 * Finds the tokens of a body, in order and without overlap; the rest is text. At each position the first expander that
 * recognises a token gets it. The `inner` of a token is searched for tokens of the other expanders. See
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
