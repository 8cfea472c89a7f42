/** Part of a script that is a reference: offsets in UTF-16 code units, the end exclusive. */
export interface Reference {
  readonly start: number
  readonly end: number
}

/**
 * Way in which the shell reads the place of a reference. `bare`: as a word, which the shell splits; `quoted`: as text
 * with variables, as between double quotes; `single`: as unchanged text between quotes that may end before it and begin
 * again after it; `literal`: as other unchanged text; `unread`: not at all, or as an escape.
 */
export type Quoting = 'bare' | 'quoted' | 'single' | 'literal' | 'unread'

/** Quotings of a script. */
export interface Quotings {
  /** Quoting of each reference, in order. */
  readonly quotings: readonly Quoting[]
  /** Offset of the last simple command that no other command contains. */
  readonly lastCommand: number
}

/** Collects quotings while a scanner moves over the script. The scanner never moves back. */
export class ReferenceCursor {
  readonly quotings: Quoting[] = []

  /** @param references in order, without overlap */
  constructor(private readonly references: readonly Reference[]) {}

  get #next(): Reference | undefined {
    return this.references[this.quotings.length]
  }

  /** Records the reference at a position and returns its end; undefined if there is none. */
  take(at: number, quoting: Quoting): number | undefined {
    const next = this.#next
    if (next === undefined || next.start > at) return undefined
    this.quotings.push(quoting)
    return Math.max(next.end, at)
  }

  /**
   * Records every reference that begins before `end`. Returns where to continue: after the last of them, or at `end`.
   */
  takeUntil(end: number, quoting: Quoting): number {
    let after = end
    for (let next = this.#next; next !== undefined && next.start < end; next = this.#next) {
      this.quotings.push(quoting)
      after = Math.max(after, next.end)
    }
    return after
  }
}
