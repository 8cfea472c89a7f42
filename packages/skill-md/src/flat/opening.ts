import { endOfQuietLines } from './quiet-rest.js'
import { isNullWord } from './scalar.js'

/** How most blocks begin. */
export interface Opening {
  readonly name: string | undefined
  readonly description: string
  /** The lines without both, as {@link FlatBlock} has them, and the line feed before them; undefined when there are no others. */
  readonly rest: string | undefined
}

/** Names that mean themselves in YAML. */
const plainName = /^[A-Za-z0-9][\w.-]*$/
const nameKey = 'name: '
const descriptionKey = 'description: '
const LINE_FEED = 10
const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const ANGLE = 62
const BAR = 124

// Lines of a `|` text, and of a `>` text without blank ones in it and all indented alike: then they are only joined. How such
// a text ends makes no difference to a description, which is trimmed.
const keptLines = /\|[-+]?\n( {1,8})(?=[^ \n]).*\n(?:\1.*\n|\n)*(?! )/y
const foldedLines = />[-+]?\n( {1,8})(?=[^ \n]).*\n(?:\1(?=[^ \n]).*\n)*(?: *\n)*(?! )/y

/**
 * Reads a `name:` and a `description:`, or the latter alone, if a block begins with these, but for lines that no remark could
 * be made on: all of it is searches that run as machine code from the first file on. Undefined when anything about them
 * takes a closer look.
 * @param text as {@link FlatBlock} has it
 * @param longest characters of a description that needs no remark
 */
export function readOpening(text: string, longest: number): Opening | undefined {
  let name: string | undefined
  let between = 0
  if (text.startsWith(nameKey)) {
    const end = text.indexOf('\n')
    name = text.slice(nameKey.length, end)
    if (!plainName.test(name) || isNullWord(name)) return undefined
    between = end + 1
  }
  const at = text.startsWith(descriptionKey, between) ? between : endOfQuietLines(text, between)
  if (!text.startsWith(descriptionKey, at)) return undefined
  const start = at + descriptionKey.length
  const first = text.charCodeAt(start)
  const lines = first === BAR ? keptLines : first === ANGLE ? foldedLines : undefined
  const end = lines === undefined ? text.indexOf('\n', start) : endOf(lines, text, start)
  if (end === -1) return undefined
  const description = lines === undefined ? valueOf(text, start, end) : joined(text, start, end)
  if (description === undefined || description === '' || description.length > longest) return undefined
  const before = between === at ? '' : text.slice(between, at)
  const next = text.charCodeAt(end + 1)
  // What goes on with the description must not come to go on with the line before it.
  if (before !== '' && (next === SPACE || next === LINE_FEED)) return undefined
  return { name, description, rest: before !== '' ? `\n${before}${text.slice(end + 1)}` : end + 1 === text.length - 1 ? undefined : text.slice(end) }
}

/** Where the last of the lines ends that an expression finds at `start`; -1 when it finds none. */
function endOf(lines: RegExp, text: string, start: number): number {
  lines.lastIndex = start
  return lines.test(text) ? lines.lastIndex - 1 : -1
}

/** The text of such lines. */
function joined(text: string, start: number, end: number): string {
  const lines = text.slice(text.indexOf('\n', start) + 1, end)
  const indentation = lines.slice(0, lines.search(/[^ ]/))
  return lines.replaceAll(`\n${indentation}`, text.charCodeAt(start) === BAR ? '\n' : ' ').trim()
}

/** A plain or quoted text that fills a line and holds nothing that has to be interpreted. */
function valueOf(text: string, start: number, end: number): string | undefined {
  const first = text.charCodeAt(start)
  if (first === QUOTE || first === APOSTROPHE) {
    const inner = text.slice(start + 1, end - 1)
    if (text.charCodeAt(end - 1) !== first || end - start < 2 || inner.includes('\\') || inner.includes(first === QUOTE ? '"' : "'")) return undefined
    return inner.trim()
  }
  const written = text.slice(start, end)
  // What is trimmed is more than what is a space to YAML.
  const value = written.trim()
  const isPlain = isSureStart(first) && !written.includes(': ') && !written.includes(' #') && !value.endsWith(':') && !isNullWord(value)
  return isPlain ? value : undefined
}

/** Letters, digits and whatever is beyond ASCII: with these a plain text may begin. */
function isSureStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code >= 128
}
