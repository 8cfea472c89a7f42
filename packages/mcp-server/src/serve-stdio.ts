import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { checkOptions, messageOf } from '@skills/core'
import type { Readable, Writable } from 'node:stream'
import type { SkillsServer } from './skills-server.js'

export interface StdioOptions {
  /** Default: those of this process. */
  readonly input?: Readable | undefined
  readonly output?: Writable | undefined
  /** Bytes of one message; a longer one ends the connection. Default: 10 MB. */
  readonly maxMessageBytes?: number | undefined
  /** Ends it when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** Serves the one client that this process was started by, until it closes its end. */
export async function serveStdio(server: SkillsServer, options: StdioOptions = {}): Promise<void> {
  checkOptions<StdioOptions>('serveStdio()', options, { input: 1, output: 1, maxMessageBytes: 1, signal: 1 })
  const { input = process.stdin, output = process.stdout, maxMessageBytes, signal } = options
  const { onDiagnostic } = server.options
  const client = server.client()
  const transport = new StdioServerTransport(
    input,
    output,
    maxMessageBytes === undefined ? {} : { maxBufferSize: maxMessageBytes },
  )
  const ended = new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve())
    output.once('error', () => resolve())
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (signal?.aborted === true) resolve()
  })
  const handle = serve(() => server.protocolServer(client), {
    transport,
    onerror: error =>
      onDiagnostic({
        severity: 'warning',
        type: 'source',
        code: 'mcp-client-problem',
        message: `The client sent something that is no message, or did not take one: ${messageOf(error)}`,
      }),
  })
  await ended
  await handle.close()
  await server.leave(client)
}
