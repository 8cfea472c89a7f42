import * as s from '@skills/core/schema'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { messageOf } from '@skills/core'
import { leaveMs, passLines } from './message-lines.js'
import type { Clock } from '@skills/core'
import type { SkillsServer } from './skills-server.js'

const stdioOptions = s.options('serveStdio()', {
  /** Streams to and from the client. Default: those of this process. */
  input: s.typed<Readable>('a readable'),
  output: s.typed<Writable>('a writable'),
  /** Most bytes of one message. A longer one is answered with an error, and the next message is read. */
  maxMessageBytes: s.count().default(10 * 1024 * 1024),
  /** Ends the server when it aborts. */
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface StdioOptions extends s.OptionsOf<typeof stdioOptions> {}

/**
 * Serves the client that started this process, until it closes its end, or until it sends without reading its answers.
 * Rejects with `E_INVALID_OPTION`.
 */
export async function serveStdio(server: SkillsServer, given?: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, maxMessageBytes, signal } = stdioOptions.read(given)
  const { onDiagnostic, skills } = server.options
  const client = server.client()
  const warn = (error: unknown): void =>
    onDiagnostic({
      severity: 'warning',
      type: 'source',
      code: 'mcp-client-problem',
      message: `The client sent an invalid message, or did not read an answer: ${messageOf(error)}`,
    })
  const lines = new PassThrough()
  // The transport gets one line at a time, because it would end silently at its own limit.
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: 2 * maxMessageBytes + 64 * 1024 })
  const over = new AbortController()
  const ended = new Promise<void>(resolve => {
    const end = (): void => {
      over.abort()
      resolve()
    }
    output.once('error', end)
    output.once('close', end)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted === true) end()
  })
  const handle = serve(() => server.protocolServer(client), { transport, onerror: warn })
  const passed = passLines({
    input,
    lines,
    output,
    maxBytes: maxMessageBytes,
    clock: skills.host.clock,
    signal: over.signal,
  }).catch(warn)
  await Promise.race([passed, ended])
  over.abort()
  await handle.close()
  await server.leave(client)
  // Unread output would keep the process alive.
  if (output.writableLength > 0) await taken(output, skills.host.clock)
}

/** Waits a short time until everything is read, then discards the rest. */
function taken(output: Writable, clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise(resolve => {
    const cancel = clock.after(leaveMs, () => {
      output.destroy()
      resolve()
    })
    const done = (): void => {
      cancel()
      resolve()
    }
    output.once('drain', done).once('close', done)
  })
}
