/**
 * Freezes plain objects and arrays at every depth, so that changing one throws. Instances of classes are not frozen.
 */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const isPlain =
    Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null
  if (!isPlain) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
