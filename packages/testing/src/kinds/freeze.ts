/**
 * Freezes plain objects and arrays all the way down, so that a change of one throws. Instances of classes stay as they
 * are.
 */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const isPlain =
    Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null
  if (!isPlain) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
