import { abortError, type CatalogEntry } from '@skills/core'
import type { Formatter, Listing, ListingContext, ListingEntry } from '@skills/invocation/skill-tool'

/** Functions of the formatter that a test can replace with faulty ones. */
export interface FormatterParts {
  /** Puts a text on one line. */
  line(text: string): string
  /** Returns the beginning of a text, at most `length` UTF-16 code units. */
  cut(text: string, length: number): string
}

const wrapperTag = /<(?=\s*\/?\s*(?:system-reminder|command-[a-z]+))/gi
const hidden = /(?!\s)\p{Cc}|[\p{Bidi_Control}\u{e0000}-\u{e007f}\u200b\ufeff]/gu

const segmenter = new Intl.Segmenter()

export const soundParts: FormatterParts = {
  line: text =>
    text
      .replace(/[\s\x85]+/g, ' ')
      .replace(hidden, '')
      .replace(wrapperTag, '&lt;')
      .trim(),
  cut(text, length) {
    let short = ''
    if (length <= 0) return short
    for (const { segment } of segmenter.segment(text)) {
      if (short.length + segment.length > length) break
      short += segment
    }
    return short
  },
}

/**
 * Short formatter that keeps every rule of its contract, for tests only. Entries that do not fit are cut, then omitted.
 */
export class SmallFormatter implements Formatter {
  readonly #budget: number
  readonly #parts: FormatterParts

  constructor(budget: number | undefined, parts: Partial<FormatterParts> = {}) {
    this.#budget = budget !== undefined && budget > 0 && Number.isFinite(budget) ? Math.floor(budget) : 8000
    this.#parts = { ...soundParts, ...parts }
  }

  format(
    entries: readonly CatalogEntry[],
    _context: ListingContext,
    { signal }: { readonly signal: AbortSignal },
  ): Listing {
    if (signal.aborted) throw abortError(signal)
    const { line, cut } = this.#parts
    const shown: ListingEntry[] = []
    const omitted: string[] = []
    const isPinned = ({ override }: CatalogEntry): boolean => override === 'pinned'
    let room = this.#budget + 1
    for (const { name, command, override } of [
      ...entries.filter(isPinned),
      ...entries.filter(entry => !isPinned(entry)),
    ]) {
      const head = `- ${line(name)}`
      const whenToUse = command.type === 'prompt' ? (command.whenToUse ?? '') : ''
      const description =
        override === 'name-only'
          ? ''
          : [command.description, whenToUse]
              .map(line)
              .filter(text => text !== '')
              .join(' - ')
      const whole = description === '' ? head : `${head}: ${description}`
      const short = whole.length < room ? '' : cut(description, room - 1 - head.length - ': …'.length)
      const entry: ListingEntry | undefined =
        whole.length < room
          ? { name, text: whole, shown: description === '' ? 'name' : 'whole' }
          : short !== ''
            ? { name, text: `${head}: ${short}…`, shown: 'cut' }
            : head.length < room
              ? { name, text: head, shown: 'name' }
              : undefined
      if (entry === undefined) omitted.push(name)
      else {
        shown.push(entry)
        room -= entry.text.length + 1
      }
    }
    const quiet = new Set(entries.filter(({ override }) => override === 'name-only').map(({ name }) => name))
    return listingOf({
      entries: shown,
      omitted,
      truncated: shown.filter(({ name, shown: how }) => how !== 'whole' && !quiet.has(name)).map(({ name }) => name),
      budgetChars: this.#budget,
    })
  }
}

/** Makes a listing of these entries. Its text and length are computed from them. */
export function listingOf(parts: Omit<Listing, 'text' | 'usedChars'>, end = ''): Listing {
  const text = parts.entries.map(entry => entry.text).join('\n') + end
  return { ...parts, text, usedChars: text.length }
}
