import type { Lexed, LexContext } from '../expander.js'
import type { ShellName } from '@skills/core'

/** Places where embedded commands are searched for. */
export interface EmbeddedCommandRules {
  /**
   * Treatment of code. `spare`: left alone; `look`: fences are searched for inline commands; `by-line`: code is only
   * what follows an odd backtick in its line, a fence of commands begins and ends anywhere, and an inline command may
   * have several lines.
   */
  readonly fences: 'spare' | 'look' | 'by-line'
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
  if (rules.fences === 'by-line') return byLine(text, at, rules)
  if (context.isFenced ? rules.fences === 'spare' : context.isCode) return undefined
  switch (text.charAt(at)) {
    case '!':
      return mayBegin(text, at, rules) ? inlineAt(text, at, context, rules) : undefined
    case '\\':
      return rules.escapes && mayBegin(text, at, rules) && inlineAt(text, at + 1, context, rules) !== undefined
        ? { end: at + 2 }
        : undefined
    default:
      return context.isFenced ? undefined : fenceAt(text, at)
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
function fenceAt(text: string, at: number): Lexed | undefined {
  if (text.charAt(at - 1) === '`') return undefined
  fenceStart.lastIndex = at
  const [opening, marks] = fenceStart.exec(text) ?? []
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

/** Recognises a command as Claude Code does, which reads no Markdown: see `fences: 'by-line'`. */
function byLine(text: string, at: number, rules: EmbeddedCommandRules): Lexed | undefined {
  if (text.startsWith('```!', at)) return between(text, at + 4, '```')
  if (!text.startsWith('!`', at) || !mayBegin(text, at, rules) || followsBacktick(text, at)) return undefined
  return between(text, at + 2, '`')
}

/** Returns the token whose script ends at the next of these marks; undefined without a script. */
function between(text: string, start: number, mark: string): Lexed | undefined {
  const end = text.indexOf(mark, start)
  if (end < 0) return undefined
  const script = text.slice(start, end)
  const inner = start + script.length - script.trimStart().length
  return script.trim() === ''
    ? undefined
    : { end: end + mark.length, inner: { start: inner, end: start + script.trimEnd().length } }
}

/** Backticks of a line up to a place in a text, see {@link followsBacktick}. */
interface Line {
  readonly text: string
  at: number
  /** Place of the backtick that is open; -1 if none is. */
  open: number
}

/** Line of the last question: a line may be as long as its text, and is read once for all commands in it. */
let line: Line = { text: '', at: 0, open: -1 }

/**
 * True if a position is in a code span as Claude Code sees it: from a backtick to the next one, with something between
 * them. A span hides nothing whose backtick follows another one or an exclamation mark.
 */
function followsBacktick(text: string, at: number): boolean {
  if (line.text !== text || line.at > at) line = { text, at: text.lastIndexOf('\n', at - 1) + 1, open: -1 }
  for (; line.at < at; line.at += 1) {
    const character = text.charAt(line.at)
    if (character === '\n') line.open = -1
    if (character === '`') line.open = line.open < 0 || line.open === line.at - 1 ? line.at : -1
  }
  return line.open >= 0 && !/[`!]/.test(text.charAt(line.open - 1))
}
