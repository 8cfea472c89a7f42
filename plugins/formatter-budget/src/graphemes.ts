import { graphemesIn } from '@skills/invocation/internal'

const ascii = /^[\0-\x7f]*$/

/**
 * UTF-16 code units. The longest emoji have 15; marks and joiners without end are made to take everybody's room, and
 * count as several.
 */
const longest = 16

/**
 * A text on one line as the characters that a reader sees. They are found on demand, since each takes about a
 * microsecond.
 */
export class Graphemes {
  /** In UTF-16 code units. */
  readonly length: number
  /** Whether each character is one code unit. */
  readonly isPlain: boolean
  /** Where each one ends, as far as known. */
  readonly #ends: number[] = []
  #rest: Iterator<Intl.SegmentData> | undefined

  constructor(private readonly text: string) {
    this.length = text.length
    this.isPlain = ascii.test(text)
  }

  /** UTF-16 code units of the first `count`; of the whole text when it has fewer. */
  unitsOf(count: number): number {
    if (this.isPlain) return Math.min(count, this.length)
    const ends = this.#ends
    const rest = (this.#rest ??= graphemesIn(this.text)[Symbol.iterator]())
    while (ends.length < count) {
      const next = rest.next()
      if (next.done === true) return this.length
      this.#add(next.value.index, next.value.segment)
    }
    return count === 0 ? 0 : (ends[count - 1] ?? this.length)
  }

  #add(start: number, segment: string): void {
    for (let end = longest; end < segment.length; end += longest) {
      // A character of two code units stays one.
      const isWithin = /[\udc00-\udfff]/.test(segment.charAt(end)) && /[\ud800-\udbff]/.test(segment.charAt(end - 1))
      this.#ends.push(start + (isWithin ? end - 1 : end))
    }
    this.#ends.push(start + segment.length)
  }
}
