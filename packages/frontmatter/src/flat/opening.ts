import { isNullWord } from './scalar.js'

/** How most blocks begin. */
export interface Opening {
  readonly name: string | undefined
  readonly description: string
  /** Where the line behind it begins. */
  readonly end: number
}

/** Names that mean themselves in YAML. */
const plainName = /^[A-Za-z0-9][\w.-]*$/
const nameKey = 'name: '
const descriptionKey = 'description: '
const QUOTE = 34
const APOSTROPHE = 39

/**
 * Reads a `name:` and a `description:`, or the latter alone, on a line each, if a block begins with just these: all of it is
 * searches that run as machine code from the first file on. Undefined when anything about them takes a closer look.
 * @param text as {@link FlatBlock} has it
 * @param longest characters of a description that needs no remark
 */
export function readOpening(text: string, longest: number): Opening | undefined {
  let name: string | undefined
  let at = 0
  if (text.startsWith(nameKey)) {
    const end = text.indexOf('\n')
    name = text.slice(nameKey.length, end)
    if (!plainName.test(name) || isNullWord(name)) return undefined
    at = end + 1
  }
  if (!text.startsWith(descriptionKey, at)) return undefined
  const start = at + descriptionKey.length
  const lineEnd = text.indexOf('\n', start)
  if (lineEnd === -1) return undefined
  const description = valueOf(text, start, lineEnd)
  if (description === undefined || description === '' || description.length > longest) return undefined
  return { name, description, end: lineEnd + 1 }
}

/** A plain or quoted text that fills a line and holds nothing that has to be interpreted. */
function valueOf(text: string, start: number, end: number): string | undefined {
  const first = text.charCodeAt(start)
  if (first === QUOTE || first === APOSTROPHE) {
    const inner = text.slice(start + 1, end - 1)
    if (text.charCodeAt(end - 1) !== first || end - start < 2 || inner.includes('\\') || inner.includes(first === QUOTE ? '"' : "'")) return undefined
    return inner.trim()
  }
  const value = text.slice(start, end).trim()
  const isPlain = isLetterOrDigit(first) && !value.includes(': ') && !value.includes(' #') && !value.endsWith(':') && !isNullWord(value)
  return isPlain ? value : undefined
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}
