import { fieldTable, keysOf } from '@skills/core/fields'
import { editsBetween, type FieldName } from '@skills/core/internal'
import type { Effort } from '@skills/core'

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a scalar's text without surrounding white space, or undefined for lists and maps. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/**
 * Returns the texts of a list, without empty and null entries, or the index of the first entry that is not a text. An
 * entry such as `Bash(git: *)`, which YAML took for a map with one pair, becomes the text that was written. Of an entry
 * with a description (`name:` and more), the name counts.
 */
export function asTextList(items: readonly unknown[]): string[] | number {
  const texts: string[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === null || item === undefined) continue
    const text = asText(item) ?? (isRecord(item) ? (asText(item['name']) ?? textOfPair(item)) : undefined)
    if (text === undefined) return index
    if (text !== '') texts.push(text)
  }
  return texts
}

/** Returns a text such as `Use when: asked` that YAML took for a map with one pair. */
export function textOfPair(map: Record<string, unknown>): string | undefined {
  const [key, ...more] = Object.keys(map)
  if (key === undefined || more.length > 0) return undefined
  const value = map[key]
  const text = value === null ? '' : asText(value)
  return text === undefined ? undefined : `${key}: ${text}`.trim()
}

/** Returns a boolean-like value, or undefined for any other value. */
export function asBoolean(value: unknown): boolean | undefined {
  switch (asText(value)?.toLowerCase()) {
    case 'true':
    case 'yes':
    case 'on':
    case '1':
      return true
    case 'false':
    case 'no':
    case 'off':
    case '0':
      return false
    default:
      return undefined
  }
}

/** Returns a word for the effort, or a positive number; null for a blank text, undefined for anything else. */
export function asEffort(value: unknown): Effort | null | undefined {
  const text = asText(value)?.toLowerCase()
  if (text === '') return null
  if (text !== undefined && /^0*[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  return (['low', 'medium', 'high', 'xhigh', 'max'] as const).find(word => word === text)
}

export function isTooLong(text: string, limit: number, unit: 'characters' | 'bytes'): boolean {
  // A code unit is at least half a character, and at most three bytes.
  if (unit === 'characters' ? text.length <= limit : text.length * 3 <= limit) return false
  return lengthOf(text, unit) > limit
}

export function lengthOf(text: string, unit: 'characters' | 'bytes'): number {
  if (unit === 'bytes') return Buffer.byteLength(text)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // The second half of a surrogate pair is counted with the first.
    if (code < 0xdc00 || code > 0xdfff) length++
  }
  return length
}

/** Separator of tools: commas, and also white space unless it is one of the comma values. */
export type ToolSeparator = 'comma-or-space' | 'comma' | 'bare-comma' | undefined

/**
 * Splits at commas and spaces outside of round brackets, and at nothing else. Other white space becomes part of a tool,
 * which then allows nothing.
 */
export function splitExactly(text: string): string[] {
  return splitTools(text, 'comma').flatMap(part => {
    const tools: string[] = []
    let [depth, tool] = [0, '']
    for (const char of part) {
      if (char === '(') depth++
      else if (char === ')') depth = Math.max(0, depth - 1)
      if (char === ' ' && depth === 0) {
        tools.push(tool)
        tool = ''
      } else tool += char
    }
    return [...tools, tool].filter(one => one !== '')
  })
}

/**
 * Splits a list that was written as one text. Does not split inside round brackets, as in `Bash(git add:*, git status)
 * Read`. Takes time in proportion to the text.
 * @param separator whether white space separates too, or only commas
 */
export function splitTools(text: string, separator: ToolSeparator = 'comma-or-space'): string[] {
  return separator === 'comma-or-space' && plainTools.test(text)
    ? (text.match(plainTool) ?? [])
    : splitAtTopLevel(text, separator)
}

// Nested brackets and text beyond ASCII go to the loop below, which takes ten times as long for the first thousand
// texts.
const plainTools = /^(?:[ \t-\r!-'*-~]|\([ -'*-~]*\))*$/
const plainTool = /(?:[!-'*+\--~]|\([ -'*-~]*\))+/g

/** Splits any text, character by character. */
export function splitAtTopLevel(text: string, separator: ToolSeparator): string[] {
  const tools: string[] = []
  const spaces = separator === 'comma-or-space'
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40) depth++
    else if (code === 41) depth = Math.max(0, depth - 1)
    else if (depth === 0 && (code === 44 || (spaces && isSpace(code)))) {
      pushTrimmed(tools, text, start, at)
      start = at + 1
    }
  }
  pushTrimmed(tools, text, start, text.length)
  return tools
}

/**
 * Splits gitignore-style patterns at commas. Does not split inside braces, as in `src/{a,b}/**`, nor at an escaped
 * comma.
 */
export function splitPaths(text: string): string[] {
  const paths: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (code === 123) depth++
    else if (code === 125) depth = Math.max(0, depth - 1)
    else if (code === 44 && depth === 0) {
      pushTrimmed(paths, text, start, at)
      start = at + 1
    }
  }
  pushTrimmed(paths, text, start, text.length)
  return paths
}

/** Splits names at commas and white space. */
export function splitNames(text: string): string[] {
  return text.split(/[\s,]+/).filter(name => name !== '')
}

// Most texts have no nested brackets, and a loop is still interpreted while the first thousand of them are read.
const roundPairs = /^[^()]*(?:\([^()]*\)[^()]*)*$/
/** Longest text for the expression, which remembers each pair that it passes. */
const longestQuick = 65_536
const curlyPairs = /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/

/** Returns true if every opening bracket of a kind is closed. */
export function closesBrackets(text: string, kind: '()' | '{}'): boolean {
  if (text.length <= longestQuick && (kind === '()' ? roundPairs : curlyPairs).test(text)) return true
  let depth = 0
  for (const character of text) {
    if (character === kind[0]) depth++
    else if (character === kind[1] && depth > 0) depth--
  }
  return depth === 0
}

function pushTrimmed(list: string[], text: string, start: number, end: number): void {
  const item = text.slice(start, end).trim()
  if (item !== '') list.push(item)
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Keys that people use for purposes of their own although they resemble a field's name. */
const ordinary = new Set([
  'agents',
  'alias',
  'argument',
  'args',
  'compatible',
  'content',
  'contents',
  'contexts',
  'hook',
  'models',
  'names',
  'path',
  'require',
  'required',
  'shells',
  'tool',
  'versions',
])

/** Folded names of the fields, including accepted other spellings. */
const folded: ReadonlyMap<string, FieldName> = new Map(
  fieldTable.flatMap(field => keysOf(field).map((key): [string, FieldName] => [fold(key), field.name])),
)

/** Keys that differ from a field in more than case and separators, yet mean it. */
const misspellings: ReadonlyMap<string, FieldName> = new Map(
  fieldTable.flatMap(field => (field.misspellings ?? []).map((key): [string, FieldName] => [key, field.name])),
)

const answers = new Map<string, FieldName | undefined>()
const maxAnswers = 1_000

/** Returns the field that an unknown key was probably meant to be, or undefined. */
export function guessField(key: string): FieldName | undefined {
  if (answers.has(key)) return answers.get(key)
  const answer = guess(key)
  if (answers.size < maxAnswers && key.length <= 64) answers.set(key, answer)
  return answer
}

function guess(key: string): FieldName | undefined {
  if (ordinary.has(key) || key.length > 32 || /\d/.test(key)) return undefined
  const word = fold(key)
  const exact = folded.get(word) ?? misspellings.get(word)
  if (exact !== undefined) return exact
  let best: FieldName | undefined
  let bestDistance = 3
  for (const [candidate, name] of folded) {
    // Too many ordinary words resemble a short name: `tags` is not a misspelt `tools`.
    const most = candidate.length >= 10 ? 2 : candidate.length >= 6 ? 1 : 0
    // The number of edits is at least the difference in length, which is quicker to compute.
    if (Math.abs(word.length - candidate.length) > most) continue
    const distance = editsBetween(word, candidate)
    if (distance < bestDistance && distance <= most) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, '')
}
