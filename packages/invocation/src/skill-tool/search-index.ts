import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type AskOptions } from '@skills/core'
import { countIn, fieldIn, SearchPostings, textIn } from './search-postings.js'
import {
  bodyField,
  longestPart,
  longestQuery,
  queryTerms,
  scoreOf,
  shareOf,
  soughtBy,
  wholeName,
  type Sought,
  type Vocabulary,
} from './search-ranking.js'
import { foldedTerm, nameTermsOf, searchFields, type SearchField, type SearchText } from './search-text.js'
import { SearchWords } from './search-words.js'

/** Reason why a search found an item: a field, and the words of the field that matched. */
export interface SearchReason {
  readonly field: SearchField
  /**
   * Words as the index has them: in lower case, without accents. They may be other forms of a word of the query, begin
   * with it or only resemble it.
   */
  readonly words: readonly string[]
}

export interface SearchHit {
  /** Index of the text, in the order that the texts were given. */
  readonly at: number
  /**
   * Returns the reasons, the most important field first. Empty if only the whole name matched and it contains no word.
   */
  why(): readonly SearchReason[]
}

export interface SearchIndex {
  /**
   * Returns the hits, the best first, equal ones in the order of the texts. Empty for a query without a word.
   * @param most most hits to return; default: all
   */
  search(query: string, most?: number): readonly SearchHit[]
}

export interface SearchIndexOptions extends AskOptions {
  /**
   * Only query that will be asked. The index then keeps only words that it can find, which is faster and takes less
   * memory.
   */
  readonly query?: string | undefined
}

/** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. */
const sliceMs = 6

/**
 * Makes texts searchable by their words, by other forms and beginnings of their words, and by words with typing errors.
 * The order is that of BM25F. See docs/reference/listing.md, "Search".
 * @param texts read once and not kept
 * @throws AbortError when the signal aborts
 */
export async function searchIndex(
  texts: Iterable<SearchText> | AsyncIterable<SearchText>,
  { signal, query: only }: SearchIndexOptions = {},
): Promise<SearchIndex> {
  // Loaded on use: a program that never searches does not read the library.
  const { stemmer } = await import('stemmer')
  const index = new TextIndex(stemmer, only?.slice(0, longestQuery))
  let since = performance.now()
  for await (const text of texts) {
    index.add(text)
    if (performance.now() - since < sliceMs) continue
    await turn()
    if (signal?.aborted === true) throw abortError(signal)
    since = performance.now()
  }
  return index
}

class TextIndex implements SearchIndex {
  readonly #words: SearchWords
  readonly #postings = new SearchPostings()
  /** Length of each field of each text in words, and of a body in UTF-16 code units. */
  readonly #lengths: readonly number[][] = searchFields.map(() => [])
  /** Mean length of each field over the texts in which it is not empty; computed by the first search. */
  #usual: readonly number[] | undefined
  readonly #named = new Map<string, number[]>()
  readonly #onlyName: string | undefined
  readonly #onlyTerms: readonly string[] | undefined
  #size = 0
  readonly #vocabulary: Vocabulary<number> = {
    stemOf: word => this.#words.stemOf(word),
    alike: stem => this.#words.alike(stem),
    beginningWith: letters => this.#words.beginningWith(letters),
    resembling: word => this.#words.resembling(word),
    textsWith: words => this.#postings.textsWith(words),
    size: () => this.#size,
  }

  constructor(stem: (word: string) => string, only: string | undefined) {
    this.#onlyName = only === undefined ? undefined : wholeName(only)
    this.#onlyTerms = only === undefined ? undefined : [...queryTerms(only).keys()]
    this.#words = new SearchWords(stem, this.#onlyTerms)
  }

  add(text: SearchText): void {
    const at = this.#size++
    for (const [field, name] of searchFields.entries()) {
      const part = (text[name] ?? '').slice(0, longestPart)
      const isBody = field === bodyField
      const terms = part === '' || (isBody && !this.#mayBeIn(part)) ? [] : nameTermsOf(part, true)
      // The words of a body are not counted, because the body is not split if the only query has none of them.
      this.#lengths[field]!.push(isBody ? part.length : terms.length)
      const counts = new Map<number, number>()
      for (const term of terms) {
        const word = this.#words.add(term, isBody)
        if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
      }
      for (const [word, count] of counts) this.#postings.add(word, at, field, count)
    }
    for (const name of new Set(
      [text.name, text.displayName ?? '', ...(text.aliases?.split('\n') ?? [])].map(wholeName),
    )) {
      const others = this.#named.get(name)
      if (others !== undefined) others.push(at)
      else if (name !== '' && (this.#onlyName ?? name) === name) this.#named.set(name, [at])
    }
  }

  /** False if a body has no word of the only query. Most bodies have none, and are not split. */
  #mayBeIn(body: string): boolean {
    if (this.#onlyTerms === undefined) return true
    const folded = foldedTerm(body)
    return this.#onlyTerms.some(term => folded.includes(this.#words.beginningOf(term)))
  }

  search(query: string, most = Infinity): readonly SearchHit[] {
    const wanted = query.slice(0, longestQuery)
    const sought = soughtBy(wanted, this.#vocabulary)
    const scores = this.#scoresOf(sought)
    const named = this.#named.get(wholeName(wanted)) ?? []
    // A whole name comes before everything else.
    for (const at of named) scores[at]! += 1e6
    return bestOf(scores, most).map(at => ({ at, why: () => this.#reasonsOf(at, sought) }))
  }

  /** Returns the score of each text by BM25F: what is alike in all fields is added up before it counts less and less. */
  #scoresOf(sought: readonly Sought<number>[]): Float64Array {
    const scores = new Float64Array(this.#size)
    const once = new Float64Array(this.#size)
    const usual = (this.#usual ??= this.#lengths.map(usualLength))
    for (const { weight, found, isError } of sought) {
      const touched: number[] = []
      for (const [word, share] of found)
        for (const place of this.#postings.placesOf(word)) {
          const [text, field] = [textIn(place), fieldIn(place)]
          if (isError && field === bodyField) continue
          if (once[text] === 0) touched.push(text)
          once[text]! += shareOf(field, share * countIn(place), this.#lengths[field]![text]!, usual[field]!)
        }
      for (const text of touched) {
        scores[text]! += scoreOf(weight, once[text]!)
        once[text] = 0
      }
    }
    return scores
  }

  #reasonsOf(at: number, sought: readonly Sought<number>[]): readonly SearchReason[] {
    const words = searchFields.map(() => new Set<string>())
    for (const { found, isError } of sought)
      for (const [word] of found)
        for (const place of this.#postings.placesOf(word))
          if (textIn(place) === at && !(isError && fieldIn(place) === bodyField))
            words[fieldIn(place)]!.add(this.#words.word(word))
    return searchFields.flatMap((field, number) =>
      words[number]!.size === 0 ? [] : [{ field, words: [...words[number]!].toSorted() }],
    )
  }
}

function usualLength(lengths: readonly number[]): number {
  const [sum, filled] = lengths.reduce(([all, some], length) => [all + length, some + Number(length > 0)], [0, 0])
  return sum / Math.max(1, filled)
}

/** Returns the indices of the greatest scores above 0, the greatest first; equal ones in their order. */
function bestOf(scores: Float64Array, most: number): readonly number[] {
  const order = (a: number, b: number): number => scores[b]! - scores[a]! || a - b
  if (most === Infinity)
    return Array.from(scores.keys())
      .filter(at => scores[at]! > 0)
      .sort(order)
  const kept: number[] = []
  let least = 0
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! <= least) continue
    let place = kept.length
    while (place > 0 && order(kept[place - 1]!, at) > 0) place--
    kept.splice(place, 0, at)
    if (kept.length > most) kept.pop()
    if (kept.length === most) least = scores[kept.at(-1)!]!
  }
  return kept
}
