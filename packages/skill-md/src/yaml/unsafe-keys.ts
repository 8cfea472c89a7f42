/**
 * Returns true for a key that reaches an object's prototype if it is assigned carelessly. Such keys are dropped
 * everywhere.
 */
export function isUnsafeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype'
}
