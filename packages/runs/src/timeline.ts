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

  add(entry: RunEntry): TimelineLine | undefined {
    const { at } = entry
    if (entry.type === 'begun') {
      this.#told.delete(entry.key)
      this.#begun.set(entry.key, { at, text: entry.title ?? entry.key })
      return undefined
    }
    if (entry.type === 'finished') {
      const { text = entry.key, at: since } = this.#begun.get(entry.key) ?? { at }
      this.#begun.delete(entry.key)
      return { at: since, text, ms: at - since }
    }
    if (entry.type === 'restarted' || (entry.type === 'retried' && entry.isFresh)) this.#begun.clear()
    return { at, text: textOf(entry) }
  }

  /** Returns calls that have begun and not ended, each only once. */
  begun(): readonly TimelineLine[] {
    const fresh = [...this.#begun].filter(([key]) => !this.#told.has(key))
    for (const [key] of fresh) this.#told.add(key)
    return fresh.map(([, line]) => line)
  }
}

function textOf(entry: Exclude<RunEntry, { readonly type: 'begun' | 'finished' }>): string {
  switch (entry.type) {
    case 'queued':
      return 'submitted'
    case 'taken':
      return `${entry.epoch === 1 ? 'taken' : 'taken over'} by ${entry.holder.name}`
    case 'asked':
      return `asks: ${entry.question.message}`
    case 'answered':
      return `answered: ${entry.answer}`
    case 'parked':
      return 'waits without a process'
    case 'released':
      return `given back: ${entry.reason}`
    case 'restarted':
      return 'starts over: its runner does not record steps'
    case 'cancelling':
      return `cancellation requested${entry.reason === undefined ? '' : `: ${entry.reason}`}`
    case 'retried':
      return entry.isFresh ? 'queued again, from its beginning' : 'queued again'
    case 'ended':
      return entry.error === undefined ? entry.state : `${entry.state}: ${entry.error.message}`
    case 'delivered':
      return `reported to the conversation ${entry.session}`
  }
}

/** Returns a duration as `740 ms`, `1.2 s`, `3 min 5 s`, `2 h 4 min` or `3 d`. */
export function spanText(ms: number): string {
  const [seconds, minutes, hours] = [ms / 1000, ms / 60_000, ms / 3_600_000].map(Math.floor) as [number, number, number]
  if (seconds < 1) return `${Math.max(0, ms)} ms`
  if (minutes < 1) return `${seconds}.${Math.floor(ms / 100) % 10} s`
  if (hours < 1) return `${minutes} min ${seconds % 60} s`
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`
}
