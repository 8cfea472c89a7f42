import { isUnsafeKey } from './unsafe-keys.js'

/**
 * Copies a value from the YAML library into plain records, without the keys that reach a prototype.
 * @param dropped receives the path of each dropped key
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
