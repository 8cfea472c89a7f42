import type { Diagnostic, Host } from '@skills/core'
import type { McpServer, McpSettings } from './options.js'

/** What a link to one server is made of. */
export interface ServerLinkOptions {
  readonly name: string
  /** The server's part in the names of its commands. */
  readonly part: string
  readonly server: McpServer
  readonly settings: McpSettings
  readonly host: Host
  report(diagnostic: Diagnostic): void
  /** Told when something is known that was not given out yet, or what is known is out of date. */
  onNews(): void
}
