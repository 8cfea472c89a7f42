/** JSON-RPC message. Its other fields concern only the client library and the server. */
export interface McpMessage {
  readonly jsonrpc: '2.0'
}

interface Receiver {
  receive(message: McpMessage, extra?: object): void
}

/**
 * Transport of messages to a server and back, interchangeable with `Transport` of the client library. The type is
 * repeated here because the library is an optional peer dependency, and types have to compile without it. See
 * docs/reference/mcp.md, "MCP servers".
 */
export interface McpTransport {
  /** Settles when messages can be sent. The callbacks are set before. */
  start(): Promise<void>
  /** @param message a {@link McpMessage}; transports of the library also accept lists, which are never sent here */
  send(message: object, options?: object): Promise<void>
  close(): Promise<void>
  /** True if each sent message has a request of its own, as over HTTP. Default: false. */
  readonly hasPerRequestStream?: boolean
  /** To be called when it is closed, also after {@link close}. */
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  /**
   * To be called with each received message. The type is that of a method, so that a transport may narrow its
   * parameters.
   */
  onmessage?: Receiver['receive'] | undefined
  sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined
}
