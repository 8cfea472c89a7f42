import { getNodeValue, parseTree, stripComments, type ParseError } from 'jsonc-parser'
import { messageOf, type Diagnostic } from '@skills/core'
import { KeyLines, placeOfJsonError, type JsonErrorPlace } from './json-places.js'
import { isTooDeep, tooDeep } from './parse-json.js'
import { readWholeFileSync } from './read-file.js'

/** File that holds a JSON object. */
export interface JsonFile {
  /** Absolute, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
  /** Line numbers of its keys. */
  readonly lines: KeyLines
}

/**
 * Reads a JSON object from a file. Returns undefined if there is no file, and a diagnostic if the file holds anything
 * but an object.
 * @param code code of the diagnostic for anything but an object
 * @param what name of the file in messages, such as `The plugin manifest`
 * @param within real path of the folder that no link may lead out of; undefined: links may lead anywhere
 * @param comments true if comments, and commas before a closing bracket, are allowed. Default: false
 */
export function readJsonFile(
  path: string,
  {
    code,
    what,
    within,
    comments = false,
  }: {
    readonly code: string
    readonly what: string
    readonly within?: string | undefined
    readonly comments?: boolean
  },
): JsonFile | Diagnostic | undefined {
  const file = readWholeFileSync(path, { within: within === undefined ? undefined : [within] })
  if (file === undefined) return undefined
  if ('problem' in file) return file.problem
  const problem = (message: string, place: JsonErrorPlace | undefined = undefined): Diagnostic => ({
    severity: 'error',
    type: 'parse',
    code,
    path,
    message: `${what} ${message}.`,
    hint: 'Correct the file.',
    ...place,
  })
  let text = ''
  try {
    // A byte order mark is dropped; anything but UTF-8 is refused.
    text = new TextDecoder('utf-8', { fatal: true }).decode(file.bytes)
    if (comments) text = stripComments(text, ' ')
    if (text.trim() === '') return problem('is empty')
    if (isTooDeep(text)) return problem(tooDeep)
    const data = comments ? parseWithCommas(text) : (JSON.parse(text) as unknown)
    if (!isJsonObject(data)) return problem('must be an object')
    return { path, text, data, lines: new KeyLines(text) }
  } catch (error) {
    return problem(
      `is not JSON: ${messageOf(error).replace(/\.$/, '')}`,
      text === '' ? undefined : placeOfJsonError(text, comments),
    )
  }
}

/** Parses JSON that may have commas before a closing bracket. */
function parseWithCommas(text: string): unknown {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  return tree === undefined || errors.length > 0 ? JSON.parse(text) : getNodeValue(tree)
}

/** Returns true for a JSON object, and false for a list or null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the path of a key as people write it, such as `commands.push.source` or `plugins[3].name`. */
export function fieldPath(keys: readonly PropertyKey[]): string {
  return keys.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('')
}
