import { mostBytes } from './private-file.js'
import { stateError } from './state-error.js'

/** What the files of this version say of themselves. One that says more was written by a program that knows more. */
const version = 1

export type Decoded =
  | { readonly value: unknown }
  /** Why it is none of ours: the end of a sentence that begins with its path. */
  | { readonly fault: string }
  /** It is of a later version, which alone may change it. */
  | { readonly version: number }

/**
 * What the text of a file says. Objects in it have no prototype, so that no key, `__proto__` or `toString`, means
 * anything but itself.
 */
export function decodeState(bytes: Uint8Array): Decoded {
  let parsed: unknown
  try {
    parsed = withoutPrototypes(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: bytes.length === 0 ? 'is empty' : 'is no JSON' }
    if (error instanceof RangeError) return { fault: 'is nested too deeply' }
    if (error instanceof TypeError) return { fault: 'is no UTF-8' }
    throw error
  }
  if (typeof parsed !== 'object' || parsed === null || !('version' in parsed)) return { fault: 'has no version' }
  if (typeof parsed.version !== 'number' || !Number.isInteger(parsed.version) || parsed.version < 1)
    return { fault: 'has a version that is none' }
  if (parsed.version > version) return { version: parsed.version }
  return 'value' in parsed ? { value: parsed.value } : { fault: 'has no value' }
}

/**
 * The text of a file, readable for people. Throws `E_STATE` for what is no JSON, so that nothing is lost without a
 * word.
 */
export function encodeState(name: string, value: unknown): string {
  const refusal = (why: string, cause?: unknown): Error =>
    stateError(`"${name}" cannot be remembered: ${why}.`, 'Give a value that is JSON.', cause)
  // The lock is given back before a promise could settle.
  if (typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function')
    throw refusal('the change gives a promise')
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw refusal('it refers to itself, is nested too deeply or has a value that JSON lacks', error)
  }
  if (text === undefined) throw refusal(`it is a ${typeof value}`)
  const whole = `${JSON.stringify({ version, value }, undefined, 2)}\n`
  if (Buffer.byteLength(whole) > mostBytes) throw refusal(`it has more than ${mostBytes} bytes`)
  return whole
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  const bare: Record<string, unknown> = Object.create(null)
  for (const [key, part] of Object.entries(value)) bare[key] = withoutPrototypes(part)
  return bare
}
