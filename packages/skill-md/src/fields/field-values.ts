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
 * entry such as `Bash(git: *)`, which YAML took for a map with one pair, becomes the text that was written. For an
 * entry that is a map with a `name`, the name is returned.
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
