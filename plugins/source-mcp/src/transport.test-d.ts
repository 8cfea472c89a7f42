import { expectTypeOf, test } from 'vitest'
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { McpTransport } from './index.js'

test('a transport of the client library and one of ours are the same to either', () => {
  expectTypeOf<Transport>().toExtend<McpTransport>()
  expectTypeOf<McpTransport>().toExtend<Transport>()
  expectTypeOf<StreamableHTTPClientTransport>().toExtend<McpTransport>()
  expectTypeOf<StdioClientTransport>().toExtend<McpTransport>()
})

test('what cannot carry messages is none', () => {
  expectTypeOf<{ start(): Promise<void>; close(): Promise<void> }>().not.toExtend<McpTransport>()
  expectTypeOf<{
    start(): void
    send(message: object): Promise<void>
    close(): Promise<void>
  }>().not.toExtend<McpTransport>()
})
