import { isDeepStrictEqual } from 'node:util'
import type { Command, Diagnostic, Place } from '@skills/core'

/** State of a server. Every change makes a new object. */
export interface ServerState {
  readonly commands: readonly Command[]
  readonly problems: readonly Diagnostic[]
  readonly place: Place
}

/** Makes the state of a server to which no request was sent, with the reason. */
export function skipped(path: string, note: string): ServerState {
  return { commands: [], problems: [], place: { path, state: 'skipped', found: 0, note } }
}

/** True if two states are equal and have the same command objects. */
export function isSame(one: ServerState, other: ServerState): boolean {
  return (
    one.commands.length === other.commands.length &&
    one.commands.every((command, at) => command === other.commands[at]) &&
    isDeepStrictEqual(one.problems, other.problems) &&
    isDeepStrictEqual(one.place, other.place)
  )
}
