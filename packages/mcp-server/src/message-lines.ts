import { isUtf8 } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@skills/core'

export interface MessageLinesOptions {
  readonly input: Readable
  /** Takes whole lines, each with its line feed. */
  readonly lines: Writable
  /** Where the client is answered. */
  readonly output: Writable
  /** Of a line. */
  readonly maxBytes: number
  readonly clock: Pick<Clock, 'after'>
  readonly signal: AbortSignal
}

/** Bytes of answers that the client has not read, from which on no more of its messages are read. */
const mostUnread = 4 * 1024 * 1024
/** Milliseconds that a client that sends more may go without reading. */
const patienceMs = 60_000
/** Milliseconds that it has to read the answers to what it sent, once its end is closed. */
export const leaveMs = 2_000
/** Bytes of a line that is too long in which the id of its request is looked for. */
const headBytes = 4096
const lineFeed = 0x0a

/**
 * Hands on the lines of a client until its input ends. A line that is too long, or not UTF-8, is answered with an
 * error, and the next one counts. Rejects where the client sends and does not read what it is answered.
 */
export function passLines({ input, lines, output, maxBytes, clock, signal }: MessageLinesOptions): Promise<void> {
  const parts: Buffer[] = []
  let [bytes, isDropped] = [0, false]

  async function endLine(): Promise<void> {
    const line = Buffer.concat(parts.splice(0))
    const [length, wasDropped] = [bytes, isDropped]
    ;[bytes, isDropped] = [0, false]
    if (wasDropped)
      output.write(
        errorLine(-32_600, `A message has ${maxBytes} bytes at most, and this one had ${length}.`, idIn(line)),
      )
    else if (!isUtf8(line)) output.write(errorLine(-32_700, 'A message is UTF-8, and this one is not.', null))
    else {
      lines.write(Buffer.concat([line, Buffer.from('\n')]))
      // What it is answered at once is written before the next one is read.
      await turn()
    }
    if (output.writableLength > mostUnread) await drained(output, clock, signal)
  }

  async function take(chunk: Buffer | string): Promise<void> {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let end = rest.indexOf(lineFeed); rest.length > 0 && !signal.aborted; end = rest.indexOf(lineFeed)) {
      const part = end < 0 ? rest : rest.subarray(0, end)
      rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1)
      bytes += part.length
      if (!isDropped) parts.push(part)
      if (bytes > maxBytes && !isDropped) {
        isDropped = true
        // A slice would hold on to all of it.
        parts.splice(0, parts.length, Buffer.from(Buffer.concat(parts).subarray(0, headBytes)))
      }
      if (end >= 0) await endLine()
    }
  }

  return new Promise((resolve, reject) => {
    let [taking, waiting] = [Promise.resolve(), 0]
    let cancel = (): void => {}
    const stop = (): void => {
      input.off('data', onData)
      for (const event of ends) input.off(event, onEnd)
      signal.removeEventListener('abort', onEnd)
      // Else it holds the process.
      input.pause()
    }
    const onData = (chunk: Buffer | string): void => {
      // As far as there is room, so that its end is heard also while it does not read.
      if ((waiting += chunk.length) > maxBytes) input.pause()
      taking = taking
        .then(() => take(chunk))
        .then(() => {
          waiting -= chunk.length
          if (!signal.aborted) input.resume()
        })
        .catch((error: unknown) => {
          stop()
          reject(error)
        })
    }
    const onEnd = (): void => {
      stop()
      cancel = clock.after(leaveMs, resolve)
      // Nothing follows that it could be mistaken for a part of.
      void taking
        .then(() => (isDropped ? endLine() : undefined))
        .then(resolve, reject)
        .finally(() => cancel())
    }
    input.on('data', onData)
    for (const event of ends) input.on(event, onEnd)
    signal.addEventListener('abort', onEnd)
    if (input.readableEnded || input.destroyed || signal.aborted) onEnd()
  })
}

const ends = ['end', 'close', 'error'] as const

/** The id of a request, where it stands before what makes it long; null where it cannot be told. */
function idIn(head: Buffer): string | number | null {
  const [, id] =
    /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,1000}")\s*,/.exec(
      head.toString(),
    ) ?? []
  return id === undefined ? null : (JSON.parse(id) as string | number)
}

const errorLine = (code: number, message: string, id: string | number | null): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`

function drained(output: Writable, clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      output.off('drain', done).off('close', done)
      signal.removeEventListener('abort', done)
    }
    const done = (): void => {
      stop()
      resolve()
    }
    const cancel = clock.after(patienceMs, () => {
      stop()
      reject(new Error(`The client has not read ${output.writableLength} bytes of answers for ${patienceMs} ms.`))
    })
    output.on('drain', done).on('close', done)
    signal.addEventListener('abort', done)
  })
}
