import { isUtf8 } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@skills/core'

export interface MessageLinesOptions {
  readonly input: Readable
  /** Receives complete lines, each with its line feed. */
  readonly lines: Writable
  /** Stream to the client. */
  readonly output: Writable
  /** Most bytes of a line. */
  readonly maxBytes: number
  readonly clock: Pick<Clock, 'after'>
  readonly signal: AbortSignal
}

/** Bytes of unread answers from which on no more messages are read. */
const mostUnread = 4 * 1024 * 1024
/** Milliseconds that a sending client may go without reading. */
const patienceMs = 60_000
/** Milliseconds for which a client can read the remaining answers after it closed its end. */
export const leaveMs = 2_000
/** Bytes at the beginning of an overlong line in which the id of its request is searched. */
const headBytes = 4096
const lineFeed = 0x0a

/**
 * Passes on the lines of a client until its input ends. A line that is too long or is not UTF-8 is answered with an
 * error, and the next line is read. Rejects if the client sends without reading its answers.
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
        errorLine(-32_600, `A message may have at most ${maxBytes} bytes; this message has ${length}.`, idIn(line)),
      )
    else if (!isUtf8(line)) output.write(errorLine(-32_700, 'A message has to be UTF-8; this message is not.', null))
    else {
      lines.write(Buffer.concat([line, Buffer.from('\n')]))
      // An immediate answer is written before the next line is read.
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
        // Copied, because a slice would keep all bytes in memory.
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
      // Otherwise the input keeps the process alive.
      input.pause()
    }
    const onData = (chunk: Buffer | string): void => {
      // Reads as long as there is room, so that the end of the input is noticed while the client does not read.
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
      // The input has ended, so a dropped line is complete.
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

/** Returns the id of a request, if it comes before the long part. Null if it is unknown. */
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
