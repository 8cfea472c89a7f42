import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { keepGroup, signalGroup } from '@skills/process-group'
import { abortError, SkillsError } from '@skills/core'
import type { GitCall } from './git-call.js'

export interface GitObject {
  readonly id: string
  readonly type: string
  readonly bytes: Buffer
}

interface Request {
  readonly name: string
  readonly most: number
  resolve(object: GitObject | undefined): void
  reject(error: Error): void
}

/**
 * Reads objects through one `git cat-file --batch` process. It starts with the first object and ends with `close()`,
 * with this process or with the first failure.
 */
export class ObjectReader {
  #process: Batch | undefined

  constructor(private readonly call: GitCall) {}

  /** Number of running processes. */
  get running(): number {
    return this.#process === undefined ? 0 : 1
  }

  /**
   * Reads an object.
   * @param name id of an object, or another name for one; without a line feed
   * @param most limit in bytes; a larger object ends the process, because git would send all of it
   */
  async read(name: string, most: number, signal: AbortSignal): Promise<GitObject | undefined> {
    if (signal.aborted) throw abortError(signal)
    const batch = (this.#process ??= new Batch(this.call, () => {
      if (this.#process === batch) this.#process = undefined
    }))
    const object = await batch.ask(name, most)
    if (signal.aborted) throw abortError(signal)
    return object
  }

  async close(): Promise<void> {
    await this.#process?.end()
  }
}

/** One process. It answers requests in order. */
class Batch {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #ended: Promise<void>
  readonly #timeoutMs: number
  readonly #waiting: Request[] = []
  #read: Buffer[] = []
  #length = 0
  #needs = 0
  #timer: NodeJS.Timeout | undefined
  #said = ''

  constructor({ program, args, env, timeoutMs }: GitCall, onEnd: () => void) {
    this.#timeoutMs = timeoutMs
    // Does not run in the repository's folder: if the search path contains `.`, a program there could pass for git.
    const child = (this.#child = spawn(program, [...args, 'cat-file', '--batch'], {
      cwd: '/',
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    }))
    const giveUp = keepGroup(child)
    this.#ended = new Promise(resolve => {
      const end = (why: string): void => {
        giveUp()
        onEnd()
        this.#fail(
          new SkillsError('E_GIT_FAILED', `git ${why}${this.#said === '' ? '' : `: ${this.#said}`}.`, {
            hint: 'Try "git fsck" in the repository.',
          }),
        )
        resolve()
      }
      child.once('error', error => end(`cannot be started (${error.message})`)).once('close', () => end('ended'))
    })
    // `close` reports that the process has ended.
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (piece: Buffer) => (this.#said = `${this.#said}${piece.toString()}`.slice(-500).trim()))
    child.stdout.on('data', (piece: Buffer) => this.#take(piece))
    this.#hold(false)
  }

  ask(name: string, most: number): Promise<GitObject | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, most, resolve, reject })
      if (this.#waiting.length === 1) this.#hold(true)
      this.#child.stdin.write(`${name}\n`)
    })
  }

  async end(): Promise<void> {
    // A program with nothing else to do would end before its caller gets the answer.
    this.#hold(true)
    signalGroup(this.#child, 'SIGKILL')
    await this.#ended
  }

  #take(piece: Buffer): void {
    this.#read.push(piece)
    this.#length += piece.length
    this.#wait()
    // A large object comes in many pieces, which are joined once.
    while (this.#length >= this.#needs && this.#answer());
  }

  /** Passes on the next answer if all of it has arrived. */
  #answer(): boolean {
    const [request] = this.#waiting
    const read = Buffer.concat(this.#read)
    this.#read = [read]
    const end = read.indexOf(10)
    if (request === undefined || end < 0) {
      if (request === undefined ? read.length > 0 : read.length > 10_000)
        this.#refuse('gave an answer without a request')
      return false
    }
    const head = read.toString('utf8', 0, end)
    const [, id = '', type = '', size = ''] = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(head) ?? []
    if (id === '') {
      if (!/ (missing|ambiguous)$/.test(head)) this.#refuse(`answered ${JSON.stringify(head.slice(0, 200))}`)
      else this.#shift(end + 1)?.resolve(undefined)
      return true
    }
    const length = Number(size)
    if (length > request.most) this.#refuse(`gave ${length} bytes; at most ${request.most} were expected`)
    this.#needs = end + 1 + length + 1
    if (length > request.most || this.#length < this.#needs) return false
    this.#shift(this.#needs)?.resolve({ id, type, bytes: Buffer.from(read.subarray(end + 1, end + 1 + length)) })
    return true
  }

  /** Removes the first request and its answer. */
  #shift(bytes: number): Request | undefined {
    this.#read = [this.#read[0]?.subarray(bytes) ?? Buffer.of()]
    this.#length -= bytes
    this.#needs = 0
    const request = this.#waiting.shift()
    if (this.#waiting.length === 0) this.#hold(false)
    return request
  }

  /** Lets this process end while no caller waits for git. */
  #hold(isAsked: boolean): void {
    for (const one of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      const method: unknown = Reflect.get(one, isAsked ? 'ref' : 'unref')
      if (typeof method === 'function') method.call(one)
    }
    this.#wait()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0)
      this.#timer = setTimeout(() => this.#refuse(`gave no answer for ${this.#timeoutMs} ms`), this.#timeoutMs)
  }

  #refuse(why: string): void {
    this.#fail(new SkillsError('E_GIT_FAILED', `git ${why}.`, { hint: 'Try "git fsck" in the repository.' }))
    this.#child.stdout.destroy()
    signalGroup(this.#child, 'SIGKILL')
  }

  #fail(error: Error): void {
    for (const request of this.#waiting.splice(0)) request.reject(error)
    this.#hold(false)
  }
}
