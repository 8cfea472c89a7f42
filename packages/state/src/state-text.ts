import { mostBytes } from './private-file.js'
import { stateError } from './state-error.js'

/** Format version of the files. A file with a higher version was written by a later version of this program. */
const version = 1

export type Decoded =
  | { readonly value: unknown }
  /** End of a sentence that begins with the path: why the file is not a state file. */
  | { readonly fault: string }
  /** Later format version; only a program that knows it may change the file. */
  | { readonly version: number }

/**
 * Decodes the text of a file. Objects in the value have no prototype, so that keys such as `__proto__` or `toString`
 * have no special meaning.
 */
export function decodeState(bytes: Uint8Array): Decoded {
  let parsed: unknown
  try {
    parsed = withoutPrototypes(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: bytes.length === 0 ? 'is empty' : 'is not JSON' }
    if (error instanceof RangeError) return { fault: 'is nested too deeply' }
    if (error instanceof TypeError) return { fault: 'is not UTF-8' }
    throw error
  }
  if (typeof parsed !== 'object' || parsed === null || !('version' in parsed)) return { fault: 'has no version' }
  if (typeof parsed.version !== 'number' || !Number.isInteger(parsed.version) || parsed.version < 1)
    return { fault: 'has an invalid version' }
  if (parsed.version > version) return { version: parsed.version }
  return 'value' in parsed ? { value: parsed.value } : { fault: 'has no value' }
}

/**
 * Encodes a value as text that people can read. Throws `E_STATE` for a value that JSON cannot hold, so that no part of
 * a value is dropped silently.
 */
export function encodeState(name: string, value: unknown): string {
  const refusal = (why: string, cause?: unknown): Error =>
    stateError(`"${name}" cannot be stored: ${why}.`, 'Give a value that JSON can represent.', cause)
  // A promise would settle only after the lock is released.
  if (typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function')
    throw refusal('the new value is a promise')
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw refusal(
      'the value refers to itself, is nested too deeply, or holds something that JSON cannot represent',
      error,
    )
  }
  if (text === undefined) throw refusal(`the value is a ${typeof value}`)
  const whole = `${JSON.stringify({ version, value }, undefined, 2)}\n`
  if (Buffer.byteLength(whole) > mostBytes) throw refusal(`the value has more than ${mostBytes} bytes`)
  return whole
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  const bare: Record<string, unknown> = Object.create(null)
  for (const [key, part] of Object.entries(value)) bare[key] = withoutPrototypes(part)
  return bare
}
