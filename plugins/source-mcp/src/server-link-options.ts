import type { ServerConnectionOptions } from './server-connection.js'

/** What a link to one server is made of. */
export interface ServerLinkOptions extends Omit<ServerConnectionOptions, 'onChange' | 'onLost'> {
  /** The server's part in the names of its commands. */
  readonly part: string
  /** Told when something is known that was not given out yet, or what is known is out of date. */
  onNews(): void
}
