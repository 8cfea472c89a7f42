import { graphemesIn } from '@skills/invocation/internal'

const ascii = /^[\0-\x7f]*$/

/**
 * Most UTF-16 code units of one grapheme. The longest emoji have 15. Endless marks and joiners, which would take
 * everyone's room, count as several graphemes.
 */
const longest = 16

/**
 * Text on one line, divided into graphemes, which a reader sees as one character each. Graphemes are found on demand,
 * because each takes about a microsecond.
 */
export class Graphemes {
  /** Length in UTF-16 code units. */
  readonly length: number
  /** True if each character is one code unit. */
  readonly isPlain: boolean
  /** Ends of the graphemes found so far. */
  readonly #ends: number[] = []
  #rest: Iterator<Intl.SegmentData> | undefined

  constructor(private readonly text: string) {
    this.length = text.length
    this.isPlain = ascii.test(text)
  }

  /** Returns the UTF-16 code units of the first `count` graphemes, or of the whole text if it has fewer. */
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
      // A character of two code units is not split.
      const isWithin = /[\udc00-\udfff]/.test(segment.charAt(end)) && /[\ud800-\udbff]/.test(segment.charAt(end - 1))
      this.#ends.push(start + (isWithin ? end - 1 : end))
    }
    this.#ends.push(start + segment.length)
  }
}
