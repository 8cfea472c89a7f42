import { ReferenceCursor, type Quoting, type Quotings, type Reference } from './quoting.js'

type Frame = 'script' | 'double' | 'here-string'

// PowerShell accepts typographic quotes as quotes.
const single = /['\u2018-\u201B]/
const double = /["\u201C-\u201E]/
const hereStart = /@(['\u2018-\u201B]|["\u201C-\u201E])[ \t]*\r?\n/y
const literalHereEnd = /\n['\u2018-\u201B]@/g
const hereEnd = /\n["\u201C-\u201E]@/y

/**
 * Finds out how the places of references are quoted in PowerShell. PowerShell never evaluates the content of a
 * variable.
 * @param references in order, without overlap
 */
export function powershellQuoting(script: string, references: readonly Reference[]): Quotings {
  const cursor = new ReferenceCursor(references)
  const frames: Frame[] = ['script']
  for (let at = 0; at < script.length;) {
    const frame = frames.at(-1) ?? 'script'
    const behind = cursor.take(at, quotingIn(frame))
    at = behind ?? step(at, frame)
  }
  cursor.takeUntil(script.length + 1, 'bare')
  return { quotings: cursor.quotings, lastCommand: 0 }

  function step(at: number, frame: Frame): number {
    const character = script.charAt(at)
    if (character === '`' && frame !== 'here-string') return cursor.take(at + 1, 'unread') ?? at + 2
    if (character === '$' && script.charAt(at + 1) === '(') {
      frames.push('script')
      return at + 2
    }
    if (frame === 'script') return inScript(at, character)
    if (frame === 'double' && double.test(character)) {
      // Two quotes in a row stand for one.
      if (double.test(script.charAt(at + 1))) return at + 2
      frames.pop()
    } else if (frame === 'here-string' && matches(hereEnd, at)) {
      frames.pop()
      return at + 3
    }
    return at + 1
  }

  function inScript(at: number, character: string): number {
    if (character === '@' && matches(hereStart, at)) {
      if (double.test(script.charAt(at + 1))) frames.push('here-string')
      else return literalTo(literalHereEnd, at + 2, 3)
      return script.indexOf('\n', at)
    }
    if (single.test(character)) return literalTo(/['\u2018-\u201B]/g, at + 1, 1)
    if (double.test(character)) frames.push('double')
    else if (character === '<' && script.charAt(at + 1) === '#') return skip('#>', at)
    else if (character === '#' && (at === 0 || /[\s;(){}|&]/.test(script.charAt(at - 1)))) return skip('\n', at)
    else if (character === '(') frames.push('script')
    else if (character === ')' && frames.length > 1) frames.pop()
    return at + 1
  }

  /**
   * Skips a literal text up to its end. Two quotes in a row stand for one: they end this text and begin the next, which
   * is literal too.
   */
  function literalTo(end: RegExp, from: number, length: number): number {
    end.lastIndex = from
    const found = end.exec(script)?.index ?? script.length
    return cursor.takeUntil(found, 'literal') + length
  }

  function skip(end: string, from: number): number {
    const found = script.indexOf(end, from)
    return cursor.takeUntil(found < 0 ? script.length : found, 'unread') + end.length
  }

  function matches(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at
    return pattern.test(script)
  }
}

function quotingIn(frame: Frame): Quoting {
  return frame === 'script' ? 'bare' : 'quoted'
}
