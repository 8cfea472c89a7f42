/** Freezes plain objects and arrays all the way down, so that whoever changes one is caught. What is of a class stays as it is. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null
  if (!isPlain) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
