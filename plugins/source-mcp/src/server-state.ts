import { isDeepStrictEqual } from 'node:util'
import type { Command, Diagnostic, Place } from '@skills/core'

/** What is known of a server at one moment. Another object whenever something of it is different. */
export interface ServerState {
  readonly commands: readonly Command[]
  readonly problems: readonly Diagnostic[]
  readonly place: Place
}

/** A server that nothing is known of, and why. */
export function skipped(path: string, note: string): ServerState {
  return { commands: [], problems: [], place: { path, state: 'skipped', found: 0, note } }
}

/** Whether two states say the same, of the very same commands. */
export function isSame(one: ServerState, other: ServerState): boolean {
  return (
    one.commands.length === other.commands.length &&
    one.commands.every((command, at) => command === other.commands[at]) &&
    isDeepStrictEqual(one.problems, other.problems) &&
    isDeepStrictEqual(one.place, other.place)
  )
}
