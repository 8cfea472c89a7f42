import { readFields } from '../fields/read-fields.js'
import { toolsOfText } from '../fields/value-reader.js'
import { isNullWord } from './scalar.js'
import { readFlatBlock } from './read-flat-block.js'
import type { FieldOptions, SkillFields } from '../fields/field-types.js'

const QUOTE = 34
const APOSTROPHE = 39

// What follows is one expression since it runs as machine code from the second file on, while reading the same fields takes
// several times as long. About half of all files have such a rest, and few are ever asked for what it says.

const value = String.raw`(?:[A-Za-z0-9](?:[^:#\n]|:(?![ \n]))*|"[^"\\\n]*"|'[^'\n]*')\n`
/** Keys that are no fields, and often met, among them. */
const keys = 'license|compatibility|version|allowed-tools|author|category|homepage|origin'
const texts = String.raw`(?<outer>${keys}): ${value}(?!(?:.*\n)*?\k<outer>:)`
/** A map, two or four spaces in, whose keys are nothing that objects inherit, each once: but for `constructor` all such names have capitals. */
const map = String.raw`metadata:\n(?=(?<pad>  (?:  )?)[a-z])(?:\k<pad>(?!constructor:|prototype:|null:)(?<inner>[a-z][a-z\d_-]*): ${value}(?!(?:\k<pad>.*\n)*?\k<pad>\k<inner>:))+(?!(?:.*\n)*?metadata:)`
/** Nothing but fields that only say something of a skill to whoever asks, each once and written so that there is nothing to remark on. */
const quiet = new RegExp(String.raw`^\n(?:${texts}|${map})+-$`)
const quietLines = new RegExp(`(?:${texts})+`, 'y')

/** Each key is looked for in all that follows it, which takes time with the square of the length. */
const mostCharacters = 2048

/** Where such lines that begin at `start` end, each on its own; `start` when there are none. */
export function endOfQuietLines(text: string, start: number): number {
  quietLines.lastIndex = start
  return quietLines.test(text) ? quietLines.lastIndex : start
}

/**
 * Whether lines of a block can wait until somebody asks for what they say.
 * @param lines as {@link FlatBlock} has them, and the line feed before them: so each of them begins behind one
 */
export function isQuietRest(lines: string): boolean {
  return lines.length <= mostCharacters && quiet.test(lines)
}

/**
 * The fields of the lines that {@link FlatSkill} left unread.
 * @param rest its `rest`
 * @param options those that it was read with
 */
export function readRest(rest: string, options?: FieldOptions): SkillFields {
  const data = readFlatBlock(rest.slice(1))
  if (data === undefined) throw new TypeError('These lines are no `rest` of a skill that was read.')
  return readFields(data, options).fields
}

/**
 * What `readRest` gives for one field, without reading the others: whoever lists thousands of skills asks each for one or two.
 * @param rest the `rest` of a {@link FlatSkill}
 * @param options those that it was read with
 */
export function textInRest(rest: string, field: 'version' | 'license' | 'compatibility', options?: FieldOptions): string | undefined {
  return writtenIn(rest, field, options)
}

/** The same of the tools that it allows. */
export function toolsInRest(rest: string, options?: FieldOptions): readonly string[] | undefined {
  const text = writtenIn(rest, 'allowed-tools', options)
  return text === undefined ? undefined : toolsOfText(text, options?.toolSeparator)
}

const places = { version: '\nversion: ', license: '\nlicense: ', compatibility: '\ncompatibility: ', 'allowed-tools': '\nallowed-tools: ' } as const

function writtenIn(rest: string, field: keyof typeof places, options: FieldOptions | undefined): string | undefined {
  const place = places[field]
  const at = rest.indexOf(place)
  if (at === -1 || options?.only?.includes(field) === false) return undefined
  const start = at + place.length
  const end = rest.indexOf('\n', start)
  const first = rest.charCodeAt(start)
  const isQuoted = first === QUOTE || first === APOSTROPHE
  const written = isQuoted ? rest.slice(start + 1, end - 1) : rest.slice(start, end)
  const text = written.trim()
  // What is trimmed is more than what is a space to YAML: with any of that behind it the word is a text.
  const isNull = !isQuoted && isNullWord(text) && isNullWord(written.replaceAll(' ', ''))
  return text === '' || isNull ? undefined : text
}
