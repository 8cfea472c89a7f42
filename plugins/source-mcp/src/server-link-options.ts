import type { ServerConnectionOptions } from './server-connection.js'

/** Options of a link to one server. */
export interface ServerLinkOptions extends Omit<ServerConnectionOptions, 'onChange' | 'onLost'> {
  /** Part of the server in the names of its commands. */
  readonly part: string
  /** Called when there is new information, or when the known information is out of date. */
  onNews(): void
}
