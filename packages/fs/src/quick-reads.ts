import { setImmediate as turn } from 'node:timers/promises'
import { probeSlowly, probeSync, type Head, type Probe } from './probe.js'

export interface QuickReadsOptions {
  /** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. Default 3. */
  readonly sliceMs?: number
  /** Milliseconds that reading a file takes when it is not in the page cache. Default 0.5. */
  readonly slowMs?: number
}

/** Files that are read with callbacks before reading at once is tried again. */
const slowReads = 64
/** A large file is slow by how long each part of this many bytes takes. */
const partBytes = 65_536

/**
 * Reads files at once as long as that is quick, and with callbacks where storage makes one wait. A file in the page cache takes a fifth of the
 * time that its callbacks take.
 */
export class QuickReads {
  readonly #sliceMs: number
  readonly #slowMs: number
  #slowLeft = 0
  #sliceStart = performance.now()

  constructor({ sliceMs = 3, slowMs = 0.5 }: QuickReadsOptions = {}) {
    this.#sliceMs = sliceMs
    this.#slowMs = slowMs
  }

  async read(path: string, maxBytes: number, take: (head: Head) => boolean): Promise<Probe> {
    if (this.#slowLeft > 0) {
      this.#slowLeft--
      return probeSlowly(path, maxBytes, take, undefined)
    }
    const start = performance.now()
    // Where nobody read for a while the process had its turns.
    if (start - this.#sliceStart > this.#sliceMs) {
      await turn()
      this.#sliceStart = performance.now()
    }
    let parts = 1
    const begun = performance.now()
    const probe = probeSync(path, true, maxBytes, head => {
      parts = Math.max(parts, head.length / partBytes)
      return take(head)
    }, undefined)
    if (performance.now() - begun > this.#slowMs * parts) this.#slowLeft = slowReads
    return probe
  }
}
