import { isUnsafeKey } from './unsafe-keys.js'

/**
 * Copies what the YAML library gave into plain records of their own, without the keys that reach a prototype.
 * @param dropped receives where each dropped key stood
 */
export function clean(
  value: unknown,
  dropped: (string | number)[][],
  path: readonly (string | number)[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => clean(item, dropped, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  const record: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (isUnsafeKey(key)) dropped.push([...path, key])
    else record[key] = clean(item, dropped, [...path, key])
  }
  return record
}
