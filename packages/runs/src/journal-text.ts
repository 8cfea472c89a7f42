import { runError } from './run-error.js'
import { runVersion, type RunEntry } from './run.js'

/** Lines of a journal: an entry each, with its number, so that one that is missing is noticed. */
export function encodeEntries(entries: readonly RunEntry[], from: number): string {
  return entries.map((entry, at) => `${encodeValue({ n: from + at, ...entry })}\n`).join('')
}

/**
 * What has to outlive the machine as well: that a call of a tool was made, and what a person said. What else is lost
 * with the power is asked of the model again. A flush takes milliseconds, and a run has several entries.
 */
export function isToLast(entry: RunEntry): boolean {
  if (entry.type === 'begun') return !entry.idempotent
  return entry.type === 'finished' ? entry.kind === 'tool' : ['asked', 'answered', 'cancelling'].includes(entry.type)
}

/**
 * Reads a journal. The last line may be a part of one: what it was to say never counted. Any other line that cannot be
 * read, or is missing, is `E_RUN_JOURNAL`, as is what a later version wrote.
 * @param path for the message
 * @param from number of the first line
 */
export async function decodeJournal(file: Buffer, path: string, from = 0): Promise<readonly RunEntry[]> {
  const end = file.lastIndexOf(0x0a) + 1
  const lines = file.toString('utf8', 0, end).split('\n').slice(0, -1)
  const { entrySchema } = await import('./entry-schema.js')
  return lines.map((line, at): RunEntry => {
    const parsed = parsedLine(line)
    const version: unknown = from + at === 0 && parsed !== undefined ? Reflect.get(parsed, 'version') : undefined
    if (typeof version === 'number' && version > runVersion)
      throw runError(
        'E_RUN_JOURNAL',
        `${path} was written by a later version of this program (its version is ${version}), and is left as it is.`,
        'Update this program.',
      )
    const read = entrySchema.safeParse(parsed)
    if (!read.success || parsed === undefined || Reflect.get(parsed, 'n') !== from + at)
      throw runError(
        'E_RUN_JOURNAL',
        `${path} is damaged: its line ${from + at + 1} is ${parsed === undefined ? 'no JSON object' : 'not the entry that belongs there'}. The run does not go on, and the file is left as it is.`,
        'Look at what the run did by then, and start it anew where that is safe.',
      )
    return read.data as RunEntry
  })
}

/** As JSON in one line; bytes and dates, which results of tools and parts of answers have, come back as what they are. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, json: unknown) {
    const own = this[key]
    if (own instanceof Date) return { [marks.date]: own.getTime() }
    return own instanceof Uint8Array ? { [marks.bytes]: Buffer.from(own).toString('base64') } : json
  })
}

/** Throws a `SyntaxError`. */
export function decodeValue(text: string): unknown {
  if (!text.includes('"@skills/')) return JSON.parse(text)
  return JSON.parse(text, (_key, json: unknown) => {
    if (typeof json !== 'object' || json === null) return json
    const [date, bytes]: unknown[] = [Reflect.get(json, marks.date), Reflect.get(json, marks.bytes)]
    if (typeof date === 'number') return new Date(date)
    return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : json
  })
}

const marks = { date: '@skills/date', bytes: '@skills/bytes' }

function parsedLine(line: string): object | undefined {
  try {
    const parsed: unknown = decodeValue(line)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
