import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { messageOf } from '@skills/core'
import type { Reading } from '../api.js'
import type { Job } from './worker.js'

interface Limit {
  readonly ms: number
  readonly elements: number
}

/** Limit for each text. The library takes minutes for some texts of 100 KB. */
const usual: Limit = { ms: 1000, elements: 20_000 }
/** Limit for a person who asked to wait longer. */
const longer: Limit = { ms: 20_000, elements: 200_000 }
/** MiB of memory that reading a text may take. */
const mostMiB = 256

export interface ReadOptions {
  /** True if a person asked to wait longer. */
  readonly isLonger?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Parses Markdown in a separate thread, one text at a time, so that no text blocks anything else. A text that takes too
 * long or too much memory ends the thread. The result for such a text says so, and the page shows the text unformatted.
 */
export class Reader {
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param file absolute path of the built worker */
  constructor(private readonly file: string) {}

  /** Reads a text. Never rejects: a text that could not be read gives a reading with the reason. */
  read(text: string, { isLonger = false, signal }: ReadOptions = {}): Promise<Reading> {
    const reading = this.#last.then(() => this.#next(text, isLonger ? longer : usual, signal))
    this.#last = reading
    return reading
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  async #next(text: string, limit: Limit, signal: AbortSignal | undefined): Promise<Reading> {
    try {
      return signal?.aborted === true ? abandoned : await this.#read(text, limit, signal)
    } catch (error) {
      return { problem: messageOf(error), mayTakeLonger: false }
    }
  }

  async #read(text: string, limit: Limit, signal: AbortSignal | undefined): Promise<Reading> {
    const worker = this.#worker ?? (await this.#start())
    worker.ref()
    const slow: Reading = {
      problem: `it takes longer than ${limit.ms / 1000} s, or too much memory`,
      mayTakeLonger: limit === usual,
    }
    const ended = new AbortController()
    const reading = await new Promise<Reading | undefined>(resolve => {
      const job: Job = { text, mostElements: limit.elements }
      const timer = setTimeout(() => resolve(undefined), limit.ms)
      const died = (): void => resolve(undefined)
      worker.once('message', resolve).once('exit', died)
      signal?.addEventListener('abort', died)
      ended.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        worker.off('message', resolve).off('exit', died)
        signal?.removeEventListener('abort', died)
      })
      worker.postMessage(job)
    })
    ended.abort()
    worker.unref()
    if (reading !== undefined) return reading
    this.#worker = undefined
    // If the thread has ended by itself, this does nothing.
    await worker.terminate()
    return slow
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.file, { resourceLimits: { maxOldGenerationSizeMb: mostMiB } })
    // Rejects if the thread does not start.
    await once(worker, 'message')
    // A later error is reported by the end of the thread.
    worker.on('error', () => {})
    this.#worker = worker
    return worker
  }
}

const abandoned: Reading = { problem: 'no one is waiting for the answer', mayTakeLonger: true }
