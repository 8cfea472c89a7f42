import { spawn, type ChildProcess } from 'node:child_process'
import { withDeadline, type Clock, type Host } from '@skills/core'
import { oneLine } from '@skills/invocation/skill-tool'
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client'
import { keepGroup, signalGroup } from '@skills/process-group'
import { serverEnvironment } from './server-environment.js'
import type { ClientLibrary } from './client-library.js'
import type { McpProcessServer } from './options.js'

/** Characters of a server's standard error that are shown in an error. */
const mostSaid = 500

export interface ProcessTransportOptions {
  readonly server: McpProcessServer
  readonly host: Host
  readonly library: Pick<ClientLibrary, 'ReadBuffer' | 'serializeMessage'>
  /** Milliseconds in which the process may end by itself, and again after SIGTERM. */
  readonly closeMs: number
}

/**
 * Transport over the standard streams of a process. The process has its own group, so that no process that it started
 * outlives it.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** By `stderr` and `pid` the client recognises a process, which may end at an unknown request. */
  readonly stderr = null
  readonly #clock: Clock
  readonly #buffer: ReadBuffer
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #said = ''

  constructor(private readonly options: ProcessTransportOptions) {
    this.#clock = options.host.clock
    this.#buffer = new options.library.ReadBuffer()
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** End of the server's standard error, on one line. */
  get said(): string {
    return oneLine(this.#said)
  }

  async start(): Promise<void> {
    const { server, host } = this.options
    const { command, args = [], env, cwd } = server
    const child = spawn(command, args, {
      cwd: cwd ?? host.cwd,
      env: serverEnvironment(host, env),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    })
    this.#child = child
    const isStarted = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    this.#ended = new Promise(resolve => {
      const giveUp = keepGroup(child)
      let cancel = (): void => {}
      let isOver = false
      const end = (): void => {
        if (isOver) return
        isOver = true
        cancel()
        giveUp()
        resolve()
        this.onclose?.()
      }
      child.once('exit', () => {
        // Processes that it started are ended with it. One that left its group may still hold its streams open. Its
        // last output is read before that.
        signalGroup(child, 'SIGKILL')
        cancel = this.#clock.after(this.options.closeMs, () => {
          for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
        })
      })
      child.once('close', end)
      child.once('error', () => {
        if (child.pid === undefined) end()
      })
    })
    child.stdin.on('error', error => this.onerror?.(error))
    child.stdout.on('error', error => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-mostSaid)
    })
    await isStarted
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    return new Promise((resolve, reject) => {
      if (stdin === null || stdin === undefined || !stdin.writable)
        reject(Object.assign(new Error('The process of the server has ended.'), { code: 'CONNECTION_CLOSED' }))
      else stdin.write(this.options.library.serializeMessage(message), error => (error ? reject(error) : resolve()))
    })
  }

  /** Ends the process: first by closing its input, then by a signal, then by killing its whole group. */
  async close(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    child.stdin?.end()
    if (await this.#hasEnded()) return
    signalGroup(child, 'SIGTERM')
    if (await this.#hasEnded()) return
    signalGroup(child, 'SIGKILL')
    await this.#ended
  }

  async #hasEnded(): Promise<boolean> {
    const limit = { ms: this.options.closeMs, clock: this.#clock, what: 'The end of the process' }
    return withDeadline(() => this.#ended, { signals: [], limit }).then(
      () => true,
      () => false,
    )
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch (error) {
      // More than any message may have. The messages after it could not be separated.
      this.#fail(error)
      void this.close()
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // One line is not a message; the next may be one.
        this.#fail(error)
      }
    }
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)))
  }
}
