// What stands around a position of a Bash script, as far as its characters tell; a piece of bounded length is looked
// at.

// What a parameter expansion begins with; before `[`, and before `:` without an operator behind it, the shell
// calculates.
const parameter = /\$\{[#!]?(?:\w+|[@*#?$!-])?(\[|:(?![-=?+]))?/y
/** A number, or all of a list: there is nothing to calculate, unless a part of the list is taken. */
const fixedSubscript = /\[(?:[@*]|\d+)\]/y
const substring = /:(?![-=?+])/y
/** The subscripts of a list, or the names that begin so, which are no value taken for a name. */
const listed = /\$\{![A-Za-z_]\w*(?:\[[@*]\]|[@*])\}/y
const subscript = /(?:^|[\s;&|()`])[A-Za-z_]\w*$/
// A line that goes on, and what may stand before one.
const lineGoesOn = /(?:\\\r?\n){1,8}/y
const openParameter = /\$\{[!#]?(?:\w*|[@*#?$!-])(?:\[(?:[@*]|\d+)\])?$/
const openRedirection = /<<-?$/
const redirection = /^>&|^.&>|^>\|/s
const caseWord = /(?:case|esac)(?=[\s;&|()<>]|$)/y
/** Behind which a pattern of a `case` stands. */
const beforePattern = /(?:;[;&]&?|\bin)\s*$/

/** Characters before a position that are looked at. */
const mostBefore = 256

/** What a `${` begins. */
export interface ParameterStart {
  /** Behind what was read of it. */
  readonly end: number
  /** Whether its value is taken for the name of a variable. */
  readonly isIndirect: boolean
  /** Whether the shell calculates in it. */
  readonly isNumber: boolean
  /** Whether its subscript is a number or all of a list, and was read too. */
  readonly isFixed: boolean
}

/** @param nextReference where the next reference begins, which is never looked into */
export function parameterAt(script: string, at: number, nextReference: number): ParameterStart {
  parameter.lastIndex = at
  const [text = '${', operator] = parameter.exec(script) ?? []
  const isIndirect = script.charAt(at + 2) === '!' && endOf(listed, script, at, nextReference) === undefined
  const behind = operator === '[' ? fixedSubscriptEnd(script, at + text.length - 1, nextReference) : undefined
  if (behind === undefined)
    return { end: at + text.length, isIndirect, isNumber: operator !== undefined, isFixed: false }
  return {
    end: behind,
    isIndirect,
    isNumber: endOf(substring, script, behind, nextReference) !== undefined,
    isFixed: true,
  }
}

/** Where a subscript ends in which there is nothing to calculate; undefined for any other. */
export function fixedSubscriptEnd(script: string, at: number, nextReference: number): number | undefined {
  return endOf(fixedSubscript, script, at, nextReference)
}

/** Where a text ends that is at a position and holds no reference. */
function endOf(pattern: RegExp, script: string, at: number, nextReference: number): number | undefined {
  pattern.lastIndex = at
  const [text] = pattern.exec(script) ?? []
  return text === undefined || nextReference < at + text.length ? undefined : at + text.length
}

/** Whether a name stands before a bracket. */
export function isSubscript(script: string, at: number): boolean {
  return subscript.test(textBefore(script, at))
}

/**
 * Whether a line goes on in the midst of an operator or of a parameter, which the shell reads as one.
 * @param kind what the position stands in
 * @param isInList whether it stands in the list of an assignment
 */
export function partsOperator(script: string, at: number, kind: string, isInList: boolean): boolean {
  lineGoesOn.lastIndex = at
  const [text] = lineGoesOn.exec(script) ?? []
  if (text === undefined) return false
  const before = textBefore(script, at)
  const next = script.charAt(at + text.length)
  if (next === '\\' || (before.endsWith('$') && /[([{]/.test(next))) return true
  if (kind !== 'script') return kind === 'braces' && openParameter.test(before)
  if (next === '[') return isInList || /[\w[]$/.test(before) || openRedirection.test(before)
  return (
    openRedirection.test(before) ||
    (next === '(' && /[(=<>]$/.test(before)) ||
    (/[<>&]/.test(next) && /[<>&]$/.test(before))
  )
}

/** Whether the `&` or `|` at a position is a part of a redirection, and ends no command. */
export function isOfRedirection(script: string, at: number): boolean {
  return redirection.test(script.slice(at - 1, at + 2))
}

/** The `case` or `esac` at a position where a word begins. */
export function caseWordAt(script: string, at: number): string | undefined {
  caseWord.lastIndex = at
  return caseWord.exec(script)?.[0]
}

/** Whether a pattern of a `case` may stand at a position. */
export function mayBePattern(script: string, at: number): boolean {
  return beforePattern.test(textBefore(script, at))
}

function textBefore(script: string, at: number): string {
  return script.slice(Math.max(0, at - mostBefore), at)
}
