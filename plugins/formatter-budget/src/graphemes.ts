// Made when first needed: most descriptions are plain ASCII, where every character stands by itself.
let segmenter: Intl.Segmenter | undefined

function segmentsOf(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text)
}

const ascii = /^[\0-\x7f]*$/

/**
 * UTF-16 code units. The longest emoji have 15; marks and joiners without end are made to take everybody's room, and count as several.
 */
const longest = 16

/**
 * A text on one line as the characters that a reader sees. They are found as far as somebody asks, since finding them takes about a
 * microsecond each.
 */
export class Graphemes {
  /** In UTF-16 code units. */
  readonly length: number
  readonly #text: string
  readonly #isAscii: boolean
  /** Where each one ends, as far as known. */
  readonly #ends: number[] = []
  #rest: Iterator<Intl.SegmentData> | undefined

  constructor(text: string) {
    this.#text = text
    this.length = text.length
    this.#isAscii = ascii.test(text)
  }

  /** UTF-16 code units of the first `count`; of the whole text when it has fewer. */
  unitsOf(count: number): number {
    if (this.#isAscii) return Math.min(count, this.length)
    const ends = this.#ends
    const rest = (this.#rest ??= segmentsOf(this.#text)[Symbol.iterator]())
    while (ends.length < count) {
      const next = rest.next()
      if (next.done === true) return this.length
      this.#add(next.value.index, next.value.segment)
    }
    return count === 0 ? 0 : ends[count - 1] ?? this.length
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

/** The mark of a text that goes on. */
export const ellipsis = '…'

/**
 * The text in at most `most` UTF-16 code units, its end as `…` when it is longer; never a part of what a reader sees as one character.
 * Empty when nothing but the mark would be left.
 */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text
  const end = boundaryAt(text, most - ellipsis.length)
  return end <= 0 ? '' : text.slice(0, end) + ellipsis
}

/** The last boundary between two characters at or before an offset. */
function boundaryAt(text: string, at: number): number {
  // Nothing joins two ASCII characters: line breaks are gone.
  if (at <= 0 || (text.charCodeAt(at - 1) < 0x80 && text.charCodeAt(at) < 0x80)) return at
  return segmentsOf(text).containing(at)?.index ?? at
}
