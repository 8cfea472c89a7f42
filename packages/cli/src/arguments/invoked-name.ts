import type { Invocation } from './invocation.js'

/** The name that a command was given: people type it as they would invoke it, with a slash. */
export function invokedName({ args }: Invocation): string {
  return (args[0] ?? '').replace(/^\/+/, '')
}
