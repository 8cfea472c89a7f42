import { SkillsError } from '@skills/core'
import type { Connection } from './connection.js'

/** Functions for a command that needs its server when it is invoked. */
export interface Requests {
  /** Runs one request on a connection, within its time limit. Connects first if necessary. */
  request<T>(
    what: string,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  /** Marks the server's list as out of date. */
  forget(): void
}

/** True if the server refuses a request because it lacks the requested item, or because of the arguments. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === -32602 || error.code === -32002)
}

/**
 * Returns the error of a command. A SkillsError is unchanged; any other error becomes one whose message names the
 * server and the command.
 */
export function asSkillsError(error: unknown, what: string, server: string, reason: string): SkillsError {
  if (SkillsError.is(error)) return error
  const hint = isRefusal(error)
    ? 'Check the arguments, and list the commands again.'
    : 'Check the server, or invoke the command again.'
  return new SkillsError('E_PROVIDER_FAILED', `${what} from the MCP server "${server}" failed: ${reason}.`, {
    hint,
    cause: error,
  })
}
