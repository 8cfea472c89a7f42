import type { Invocation } from './invocation.js'

/** Returns the skill's name from the arguments, without the slash with which people invoke skills. */
export function invokedName({ args }: Invocation): string {
  return (args[0] ?? '').replace(/^\/+/, '')
}
