import type { Skills } from '@skills/core'
import type { Output } from '../io.js'

/** Milliseconds before anything is shown: a short wait needs no progress. */
const patienceMs = 300
/** Milliseconds between two updates of the line. */
const stepMs = 100

/** Progress line on a terminal, which is erased at the end. */
export class ProgressLine {
  readonly #output: Output
  readonly #since = performance.now()
  #shownAt = 0
  #isShown = false

  constructor(output: Output) {
    this.#output = output
  }

  show(text: string): void {
    const now = performance.now()
    if (now - this.#since < patienceMs || now - this.#shownAt < stepMs) return
    this.#shownAt = now
    this.#isShown = true
    this.#output.write(`\r\u001b[K${text}`)
  }

  erase(): void {
    if (this.#isShown) this.#output.write('\r\u001b[K')
    this.#isShown = false
  }
}

/** Shows progress until the catalog is loaded. Returns a function that stops it and erases the line. */
export function showProgress(skills: Skills, output: Output): () => void {
  const line = new ProgressLine(output)
  const done = new Map<string, number>()
  const stops = [
    skills.hook('sources:progress', event => {
      done.set(event.provider, event.done)
      line.show(`Looking for skills: ${[...done.values()].reduce((sum, one) => sum + one, 0)} folders …`)
    }),
    skills.hook('sources:loaded', () => line.erase()),
  ]
  return () => {
    for (const stop of stops) stop()
    line.erase()
  }
}
