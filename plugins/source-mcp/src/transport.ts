/** A JSON-RPC message; what else is in it is between the client library and the server. */
export interface McpMessage {
  readonly jsonrpc: '2.0'
}

interface Receiver {
  receive(message: McpMessage, extra?: object): void
}

/**
 * What carries messages to a server and back. Every `Transport` of the client library is one, and every one of these is
 * a `Transport`; it is written out here since the library is an optional peer, and these types must compile without it.
 * See docs/reference/mcp.md, "MCP servers".
 */
export interface McpTransport {
  /** Settles once messages can be sent. The callbacks are set before. */
  start(): Promise<void>
  /**
   * @param message a {@link McpMessage}; transports of the library take lists of them too, which are never sent here
   */
  send(message: object, options?: object): Promise<void>
  close(): Promise<void>
  /** Whether each message that is sent has a request of its own, as over HTTP. Default: no. */
  readonly hasPerRequestStream?: boolean
  /** To be called when it is over, also after {@link close}. */
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  /** To be called with what arrives. The type of a method, so that a transport may know its messages more closely. */
  onmessage?: Receiver['receive'] | undefined
  sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined
}
