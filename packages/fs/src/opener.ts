import { constants, openSync } from 'node:fs'

// A FIFO opened without O_NONBLOCK would wait for a writer for ever.
export const plainFile = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Opens a file that comes from outside, at once. Throws what the system does, for a link too. */
export function openPlain(path: string): number {
  return openSync(path, plainFile)
}

/** Milliseconds that opening a file takes when what the system knows of it has to be fetched first. */
const slowOpenMs = 0.3
/** Files that are opened with callbacks before opening at once is tried again. */
const slowOpens = 64

/**
 * Opens files that are read with callbacks: at once as long as that is quick. What the system knows of a file is often at hand
 * when its bytes are not, and each step that waits for a callback takes as long as all that is done with a head.
 */
export class Opener {
  #slowLeft = 0

  /** Whether to open the next file at once; asked once a file. */
  takesNext(): boolean {
    if (this.#slowLeft === 0) return true
    this.#slowLeft--
    return false
  }

  /** Opens a file at once. Throws what the system does. */
  open(path: string): number {
    const start = performance.now()
    try {
      return openPlain(path)
    } finally {
      if (performance.now() - start > slowOpenMs) this.#slowLeft = slowOpens
    }
  }
}
