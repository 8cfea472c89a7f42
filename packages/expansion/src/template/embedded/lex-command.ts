import type { Lexed, LexContext } from '../expander.js'
import type { ShellName } from '@skills/core'

/** Places where embedded commands are searched for. */
export interface EmbeddedCommandRules {
  /**
   * Treatment of code fences. `spare`: left alone; `look`: searched for inline commands; `look-all`: fences of commands
   * too, which may then name a language after the mark.
   */
  readonly fences: 'spare' | 'look' | 'look-all'
  /** Place where an inline command may begin. */
  readonly inline: 'start-or-space' | 'anywhere'
  /**
   * True if a backslash before `` !` `` keeps it from being a command, and one inside keeps a backtick from ending it.
   * The backslash before the command is then removed. False: a backslash is an ordinary character.
   */
  readonly escapes: boolean
}

/** First characters of an embedded command and of its escape. */
export const embeddedCommandClaims = '!`\\'

/** Rules of the engine, unless a distribution has its own. */
export const usualRules: EmbeddedCommandRules = { fences: 'spare', inline: 'start-or-space', escapes: true }

type Place = Pick<LexContext, 'isFenced' | 'isCode' | 'isNested'> & { readonly command: { readonly shell: ShellName } }

const beforeFence = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/
const fenceStart = /(`{3,})![ \t]*\r?\n/y
const languageStart = /(`{3,})!\w*[ \t]*\r?\n/y
const whiteSpace = /\s/
const fenceEnd = /(?<=\n)[ \t]*(`{3,})[ \t]*(?=\r?(?:\n|$))/g

/**
 * Recognises the embedded command that begins at a position. For the escape of a command, returns a token without
 * `inner`. Nothing is run. See docs/reference/expansion.md, "Embedded commands".
 * @param at offset in UTF-16 code units of one of {@link embeddedCommandClaims}
 */
export function lexEmbeddedCommand(
  text: string,
  at: number,
  context: Place,
  rules: EmbeddedCommandRules = usualRules,
): Lexed | undefined {
  if (context.isNested === true) return undefined
  if (context.isFenced ? rules.fences === 'spare' : context.isCode) return undefined
  switch (text.charAt(at)) {
    case '!':
      return mayBegin(text, at, rules) ? inlineAt(text, at, context, rules) : undefined
    case '\\':
      return rules.escapes && mayBegin(text, at, rules) && inlineAt(text, at + 1, context, rules) !== undefined
        ? { end: at + 2 }
        : undefined
    default:
      return context.isFenced && rules.fences !== 'look-all' ? undefined : fenceAt(text, at, rules)
  }
}

/** Tests the next characters only, since most backticks of a text do not begin a command. */
export function mayBeEmbedded(text: string, at: number): boolean {
  const character = text.charAt(at)
  if (character === '!') return text.charAt(at + 1) === '`'
  return character === '`' ? text.startsWith('```', at) : character === '\\' && text.startsWith('!`', at + 1)
}

function mayBegin(text: string, at: number, { inline }: EmbeddedCommandRules): boolean {
  return inline === 'anywhere' || at === 0 || whiteSpace.test(text.charAt(at - 1))
}

/**
 * Reads an inline command, on one line only: the next backtick may be pages away. A regular expression would need a
 * stack for long ones.
 */
function inlineAt(text: string, at: number, { command }: Place, { escapes }: EmbeddedCommandRules): Lexed | undefined {
  if (!text.startsWith('!`', at)) return undefined
  const start = at + 2
  for (let end = start; end < text.length; end += 1) {
    const character = text.charAt(end)
    if (character === '`') return end === start ? undefined : { end: end + 1, inner: { start, end } }
    // To PowerShell a backslash is an ordinary character. Elsewhere it escapes the backtick after it.
    if (escapes && character === '\\' && command.shell !== 'powershell') end += 1
    if (text.charAt(end) === '\n') return undefined
  }
  return undefined
}

/** Reads a fence of commands. An unclosed fence is not one: the text after it was hardly meant to run. */
function fenceAt(text: string, at: number, { fences }: EmbeddedCommandRules): Lexed | undefined {
  if (text.charAt(at - 1) === '`') return undefined
  const begins = fences === 'look-all' ? languageStart : fenceStart
  begins.lastIndex = at
  const [opening, marks] = begins.exec(text) ?? []
  if (
    opening === undefined ||
    marks === undefined ||
    !beforeFence.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))
  )
    return undefined
  const start = at + opening.length
  fenceEnd.lastIndex = start
  let close = fenceEnd.exec(text)
  while (close !== null && (close[1] ?? '').length < marks.length) close = fenceEnd.exec(text)
  if (close === null) return undefined
  const script = text.slice(start, close.index).replace(/\r?\n$/, '')
  return { end: close.index + close[0].length, inner: { start, end: start + script.length } }
}
