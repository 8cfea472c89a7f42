import { spawn, type ChildProcess } from 'node:child_process'
import { withDeadline, type Clock, type Host } from '@skills/core'
import { oneLine } from '@skills/invocation/skill-tool'
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client'
import { keepGroup, signalGroup } from '@skills/process-group'
import type { ClientLibrary } from './client-library.js'
import type { McpProcessServer } from './options.js'

/** What every server is given of the environment: what a program needs to start, and none of the secrets beside it. */
const inherited =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER']
/** Characters of what a server wrote to its standard error that a failure shows. */
const mostSaid = 500

export interface ProcessTransportOptions {
  readonly server: McpProcessServer
  readonly host: Host
  readonly library: Pick<ClientLibrary, 'ReadBuffer' | 'serializeMessage'>
  /** Milliseconds that the process is given to end by itself, and again after SIGTERM. */
  readonly closeMs: number
}

/**
 * Speaks to a server over the standard streams of a process in a group of its own, so that nothing it started outlives
 * it.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /**
   * The client knows by these two that it speaks to a process: such a server may end at a question that it does not
   * know.
   */
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

  /** The last that the server wrote to its standard error, on one line. */
  get said(): string {
    return oneLine(this.#said)
  }

  async start(): Promise<void> {
    const { server, host } = this.options
    const { command, args = [], env, cwd } = server
    const given = Object.fromEntries(
      inherited.flatMap(name => (host.env[name] === undefined ? [] : [[name, host.env[name]]])),
    )
    const child = spawn(command, args, {
      cwd: cwd ?? host.cwd,
      env: { ...given, ...env },
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
        // What it had started is ended with it. What has left its group may still hold its streams open; its last words
        // are read before that.
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

  /** Ends the process: its input ends first, then it is asked to, then its whole group is ended. */
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
      // More than any message may have: nothing that follows could be told apart.
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
        // One line that is no message; the next may be one.
        this.#fail(error)
      }
    }
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)))
  }
}
