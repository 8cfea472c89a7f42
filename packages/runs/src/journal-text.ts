import type { RunEntry } from './run.js'

/** Most characters of one entry. Results of tools can be large. */
const mostCharacters = 64 * 1024 * 1024
/** Deepest nesting of lists and objects, because JSON functions are recursive. */
const deepest = 256

/** Encodes an entry as one line of JSON. Throws if the line could not be read again. */
export function encodeEntry(entry: RunEntry): string {
  const json = encodeValue(entry)
  if (json.length > mostCharacters)
    throw new RangeError(`it has ${json.length} characters, more than ${mostCharacters}`)
  if (isDeeper(json, deepest)) throw new RangeError(`it has more than ${deepest} levels of lists and objects`)
  return json
}

/** Adds its number to the JSON of an entry, so that a missing entry is noticed. */
export const numbered = (json: string, number: number): string => `${json.slice(0, -1)},"n":${number}}`

/** Decodes a line. Returns undefined if the line is not a JSON object. */
export function decodeEntry(json: string): object | undefined {
  if (json.length > 2 * mostCharacters || isDeeper(json, 2 * deepest)) return undefined
  try {
    const parsed: unknown = decodeValue(json)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * True if an entry has to survive a crash of the machine: the begin of a call that must not be repeated, the result of
 * a tool, a question, a person's answer, or a cancellation. Other entries are not flushed, because a flush takes
 * milliseconds and a run has several entries; after a crash, the model is asked again.
 */
export function isToLast(entry: RunEntry): boolean {
  if (entry.type === 'begun') return !entry.idempotent
  return entry.type === 'finished' ? entry.kind === 'tool' : ['asked', 'answered', 'cancelling'].includes(entry.type)
}

/** True if one of these entries ends or parks the run. A process that waits for the run then has to read the journal. */
export const isSettling = (entries: readonly RunEntry[]): boolean =>
  entries.some(({ type }) => type === 'ended' || type === 'parked')

/** Encodes a value as one line of JSON. Bytes and dates, as in results of tools, are decoded to the same values. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, json: unknown) {
    const own = this[key]
    if (own instanceof Date) return { [marks.date]: own.getTime() }
    if (own instanceof Uint8Array) return { [marks.bytes]: Buffer.from(own).toString('base64') }
    // A result of a tool may look like one of these marks.
    return isMarked(json) ? { [marks.own]: Object.entries(json) } : json
  })
}

/** Decodes a value. Throws a `SyntaxError`. */
export function decodeValue(text: string): unknown {
  if (!text.includes(`"${mark}`)) return JSON.parse(text)
  return JSON.parse(text, (_key, json: unknown) => {
    if (!isMarked(json)) return json
    const { [marks.date]: date, [marks.bytes]: bytes, [marks.own]: own } = json
    if (Array.isArray(own)) return Object.fromEntries(own)
    if (typeof bytes === 'string') return new Uint8Array(Buffer.from(bytes, 'base64'))
    return date === undefined ? json : new Date(typeof date === 'number' ? date : NaN)
  })
}

const mark = '@skills/'
const marks = { date: `${mark}date`, bytes: `${mark}bytes`, own: `${mark}own` } as const

function isMarked(json: unknown): json is Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false
  for (const key in json) if (key.startsWith(mark)) return true
  return false
}

/** True if lists and objects of a JSON text are nested deeper than `most`. */
function isDeeper(json: string, most: number): boolean {
  // Most entries are too short for it.
  if (json.length < 2 * most) return false
  let [depth, isText] = [0, false]
  for (let at = 0; at < json.length && depth <= most; at++) {
    const character = json[at]
    if (character === '\\' && isText) at += 1
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > most
}
