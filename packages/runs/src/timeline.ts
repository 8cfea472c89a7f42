import type { RunEntry } from './run.js'

/** Event of a run. Its text may contain control characters; make it safe before printing. */
export interface TimelineLine {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  /** Duration in milliseconds; undefined for an event without one, and for a call that has not ended. */
  readonly ms?: number
}

/** Converts journal entries to lines: one line for each call when the call ends, and one line for each other entry. */
export class Timeline {
  readonly #begun = new Map<string, TimelineLine>()
  readonly #told = new Set<string>()
  /** Titles of the steps that were begun, by their keys. */
  readonly #titles = new Map<string, string>()
  /** Name of the process that works on the run. */
  #holder: string | undefined
  #failures = 0

  add(entry: RunEntry): TimelineLine | undefined {
    const { at } = entry
    if (entry.type === 'begun') {
      this.#told.delete(entry.key)
      const text = entry.title ?? entry.key
      this.#titles.set(entry.key, text)
      this.#begun.set(entry.key, { at, text })
      return undefined
    }
    if (entry.type === 'finished') {
      const [begun, title] = [this.#begun.get(entry.key), this.#titles.get(entry.key)]
      this.#begun.delete(entry.key)
      if (begun !== undefined) return { ...begun, ms: at - begun.at }
      // It was begun by a former process, and a person did not want it to be made again.
      return title === undefined ? { at, text: entry.key, ms: 0 } : { at, text: `not made again: ${title}` }
    }
    const line = { at, text: this.#textOf(entry) }
    if (entry.type === 'taken') this.#holder = entry.holder.name
    else if (leaves.has(entry.type)) this.#holder = undefined
    if (entry.type === 'released' && entry.isFailure === true) this.#failures += 1
    else if (entry.type === 'retried') this.#failures = 0
    // Nothing of a process that has left the run is under way.
    if (entry.type === 'taken' || entry.type === 'restarted' || leaves.has(entry.type)) this.#begun.clear()
    return line
  }

  /** Returns calls that have begun and not ended, each only once. */
  begun(): readonly TimelineLine[] {
    const fresh = [...this.#begun].filter(([key]) => !this.#told.has(key))
    for (const [key] of fresh) this.#told.add(key)
    return fresh.map(([, line]) => line)
  }

  #textOf(entry: Exclude<RunEntry, { readonly type: 'begun' | 'finished' }>): string {
    switch (entry.type) {
      case 'queued':
        return 'submitted'
      case 'taken':
        return `taken${this.#takenBy(entry.holder.name)}${this.#cut()}`
      case 'asked':
        return `asks: ${entry.question.message}`
      case 'answered':
        return `answered: ${entry.answer}`
      case 'parked':
        return 'waits without a process'
      case 'released':
        return entry.isFailure === true
          ? `attempt ${this.#failures + 1} failed: ${entry.reason}`
          : `given back: ${entry.reason}${this.#cut()}`
      case 'restarted':
        return 'starts over: its runner does not record steps'
      case 'cancelling':
        return `cancellation requested${entry.reason === undefined ? '' : `: ${entry.reason}`}`
      case 'retried':
        return entry.isFresh ? 'queued again, from its beginning' : 'queued again'
      case 'ended': {
        const { state, error } = entry
        const times = this.#failures > 0 && state === 'failed' ? ` after ${this.#failures + 1} attempts` : ''
        return `${state}${times}${error === undefined ? '' : `: ${error.message}`}${this.#cut()}`
      }
      case 'delivered':
        return `reported to the conversation ${entry.session}`
    }
  }

  /** Returns who takes a run, and from whom if its former process has not left it, in words. */
  #takenBy(by: string): string {
    if (this.#holder === undefined) return ` by ${by}`
    if (this.#holder === by) return ` again by ${by}, which was stopped or could not reach its server for a time`
    return ` over from ${this.#holder}, which gives no sign of life, by ${by}`
  }

  /** Returns the calls that were under way, in words. */
  #cut(): string {
    const calls = [...this.#begun.values()].map(({ text }) => text)
    return calls.length === 0 ? '' : `; not finished: ${calls.join(', ')}`
  }
}

/** Entries after which no process works on a run. */
const leaves: ReadonlySet<RunEntry['type']> = new Set(['parked', 'released', 'retried', 'ended'])

/** Returns a duration as `740 ms`, `1.2 s`, `3 min 5 s`, `2 h 4 min` or `3 d`. */
export function spanText(ms: number): string {
  const [seconds, minutes, hours] = [ms / 1000, ms / 60_000, ms / 3_600_000].map(Math.floor) as [number, number, number]
  if (seconds < 1) return `${Math.max(0, ms)} ms`
  if (minutes < 1) return `${seconds}.${Math.floor(ms / 100) % 10} s`
  if (hours < 1) return `${minutes} min ${seconds % 60} s`
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`
}
