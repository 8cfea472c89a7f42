/**
 * Whether a key would reach an object's prototype when it is assigned carelessly. Such keys are dropped wherever they
 * stand.
 */
export function isUnsafeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype'
}
