import type { Skills } from '@skills/core'
import type { Output } from '../io.js'

/** Milliseconds before anything is shown: a short wait needs no explanation. */
const patienceMs = 300
/** Milliseconds between two changes of the line. */
const stepMs = 100

/** One line on a terminal that says how far something is, and leaves no trace. */
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

/** Shows how far a load is until the catalog is there. Gives what erases the line and stops. */
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
