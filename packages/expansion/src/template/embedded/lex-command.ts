import type { Lexed, LexContext } from '../expander.js'
import type { ShellName } from '@skills/core'

/** Where embedded commands are looked for. */
export interface EmbeddedCommandRules {
  /**
   * Whether ordinary code fences are spared, or looked into for commands in a line; `look-all`: for fences of commands
   * too, whose mark may then have the name of a language behind it.
   */
  readonly fences: 'spare' | 'look' | 'look-all'
  /** Where a command may begin that stands in a line. */
  readonly inline: 'start-or-space' | 'anywhere'
  /**
   * Whether a backslash keeps `` !` `` from being a command, and is then dropped, and within one keeps a backtick from
   * being its end; without that it is a character like any other.
   */
  readonly escapes: boolean
}

/** What an embedded command, or its escape, begins with. */
export const embeddedCommandClaims = '!`\\'

/** Where the engine looks for them unless a distribution says otherwise. */
export const usualRules: EmbeddedCommandRules = { fences: 'spare', inline: 'start-or-space', escapes: true }

type Place = Pick<LexContext, 'isFenced' | 'isCode' | 'isNested'> & { readonly command: { readonly shell: ShellName } }

const beforeFence = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/
const fenceStart = /(`{3,})![ \t]*\r?\n/y
const languageStart = /(`{3,})!\w*[ \t]*\r?\n/y
const whiteSpace = /\s/
const fenceEnd = /(?<=\n)[ \t]*(`{3,})[ \t]*(?=\r?(?:\n|$))/g

/**
 * Recognises the embedded command, or the escape of one, that begins at a position; a token without `inner` is an
 * escape. Nothing is run by it. See docs/reference/expansion.md, "Embedded commands".
 * @param at offset in UTF-16 code units, of one of {@link embeddedCommandClaims}
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

/** What its next characters tell alone: most backticks of a text begin no command. */
export function mayBeEmbedded(text: string, at: number): boolean {
  const character = text.charAt(at)
  if (character === '!') return text.charAt(at + 1) === '`'
  return character === '`' ? text.startsWith('```', at) : character === '\\' && text.startsWith('!`', at + 1)
}

function mayBegin(text: string, at: number, { inline }: EmbeddedCommandRules): boolean {
  return inline === 'anywhere' || at === 0 || whiteSpace.test(text.charAt(at - 1))
}

/** In one line only: the next backtick of a text may be pages away. An expression would need a stack for long ones. */
function inlineAt(text: string, at: number, { command }: Place, { escapes }: EmbeddedCommandRules): Lexed | undefined {
  if (!text.startsWith('!`', at)) return undefined
  const start = at + 2
  for (let end = start; end < text.length; end += 1) {
    const character = text.charAt(end)
    if (character === '`') return end === start ? undefined : { end: end + 1, inner: { start, end } }
    // To PowerShell a backslash is a letter; elsewhere it takes the backtick behind it.
    if (escapes && character === '\\' && command.shell !== 'powershell') end += 1
    if (text.charAt(end) === '\n') return undefined
  }
  return undefined
}

/** One that is never closed is none: what follows was hardly meant to run. */
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
