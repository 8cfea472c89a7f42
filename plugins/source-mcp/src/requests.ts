import { SkillsError } from '@skills/core'
import type { Connection } from './connection.js'

/** What a command needs of its server when it is invoked. */
export interface Requests {
  /** Runs one request on a connection, under its time limit; connects first where it has to. */
  request<T>(
    what: string,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  /** Says that the server does not have any more what it listed. */
  forget(): void
}

/** Whether the server says that it does not have what it was asked for, or not with such arguments. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === -32602 || error.code === -32002)
}

/** What a command fails with: an error of ours stays, anything else is said with the server and the command. */
export function asSkillsError(error: unknown, what: string, server: string, reason: string): SkillsError {
  if (SkillsError.is(error)) return error
  const hint = isRefusal(error)
    ? 'Look at the arguments, and list the commands again.'
    : 'Look at the server, or invoke it again.'
  return new SkillsError('E_PROVIDER_FAILED', `${what} from the MCP server "${server}" failed: ${reason}.`, {
    hint,
    cause: error,
  })
}
