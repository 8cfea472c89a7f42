import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type AskOptions } from '@skills/core'
import { foldedTerm, nameTermsOf, searchFields, termsOf, type SearchField, type SearchText } from './search-text.js'

/** Reason why a search found an item: a field, and the words of the field that matched. */
export interface SearchReason {
  readonly field: SearchField
  /**
   * Words as the index has them: in lower case, without accents. They may begin with a word of the query or only
   * resemble it.
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
  /** Returns the hits, the best first, equal ones in the order of the texts. Empty for a query without a word. */
  search(query: string): readonly SearchHit[]
}

export interface SearchIndexOptions extends AskOptions {
  /**
   * Only query that will be asked. The index then keeps only words that it can find, which is many times as fast and
   * takes less memory.
   */
  readonly query?: string | undefined
}

/** Weight of a word by field. */
const boost: Readonly<Record<SearchField, number>> = {
  name: 6,
  displayName: 4,
  aliases: 4,
  keywords: 3,
  description: 1.5,
  whenToUse: 1.5,
  body: 0.5,
}

/** Words that occur in nearly every description, so a search with other words ignores them. */
const idle = /* @__PURE__ */ new Set(
  /* @__PURE__ */ 'a an and are as at be by can do does for from how i in into is it its me my of on or our that the their these this to was we what when where which who will with you your'.split(
    ' ',
  ),
)

/** Shortest beginning of a word that is searched for: a single letter would match thousands. */
const leastPrefix = 2
/** Most words of a query. Further words are ignored, since they narrow nothing down. */
const mostTerms = 32
/**
 * Longest query and, below, longest part of a text in UTF-16 code units; the rest is ignored. A skill file has at most
 * a million.
 */
const longestQuery = 10_000
const longestPart = 1024 * 1024
/** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. */
const sliceMs = 6

/**
 * Makes texts searchable by their words, by the beginnings of their words, and by words that differ in one or two
 * letters. See docs/reference/listing.md, "Search".
 * @param texts read once and not kept
 * @throws AbortError when the signal aborts
 */
export async function searchIndex(
  texts: Iterable<SearchText> | AsyncIterable<SearchText>,
  { signal, query: only }: SearchIndexOptions = {},
): Promise<SearchIndex> {
  // Loaded on use: a program that never searches does not read the library.
  const { default: MiniSearch } = await import('minisearch')
  const asked = only === undefined ? undefined : queryTerms(only.slice(0, longestQuery)).map(wantedTerm)
  const index = new MiniSearch<SearchText & { readonly at: number }>({
    idField: 'at',
    fields: [...searchFields],
    tokenize: (text, field) => indexedTerms(text, field ?? '', asked),
    // Words are folded already. A dropped word still counts for the length of its text, so that the ranking stays the
    // same.
    processTerm:
      asked === undefined ? term => term : term => (asked.some(one => mayFind(one, term)) ? term : undefined),
  })
  const onlyName = only === undefined ? undefined : wholeName(only.slice(0, longestQuery))
  const whole = new Map<string, number[]>()
  let since = performance.now()
  let next = 0
  for await (const text of texts) {
    const at = next++
    index.add({ ...text, at })
    for (const name of new Set(
      [text.name, text.displayName ?? '', ...(text.aliases?.split('\n') ?? [])].map(wholeName),
    )) {
      const others = whole.get(name)
      if (others !== undefined) others.push(at)
      else if (name !== '' && (onlyName ?? name) === name) whole.set(name, [at])
    }
    if (performance.now() - since < sliceMs) continue
    await turn()
    if (signal?.aborted === true) throw abortError(signal)
    since = performance.now()
  }
  return {
    search(query) {
      const wanted = query.slice(0, longestQuery)
      const named = new Set(whole.get(wholeName(wanted)))
      const terms = queryTerms(wanted)
      const options = {
        boost,
        weights: { prefix: 0.5, fuzzy: 0.3 },
        prefix: (term: string) => term.length >= leastPrefix,
        tokenize: () => terms,
      }
      const exact = index.search(wanted, options)
      // A word that matches as typed needs no similar words.
      const known = new Set(exact.flatMap(({ queryTerms: own }) => own))
      const unknown = terms.filter(term => !known.has(term))
      // The body is left out: it has so many words that nearly any query resembles one.
      const resembling = {
        ...options,
        tokenize: () => unknown,
        fields: searchFields.filter(field => field !== 'body'),
        fuzzy: editsOf,
        queries: [wanted],
      }
      const found =
        unknown.length === 0
          ? exact
          : index.search({ queries: [{ ...options, tokenize: () => [...known], queries: [wanted] }, resembling] })
      const hits = found.map(({ id, score, match }): Scored => ({
        at: Number(id),
        score: Number(score.toPrecision(12)),
        why: () => reasonsOf(match),
      }))
      const inHits = new Set(hits.map(({ at }) => at))
      for (const at of named) if (!inHits.has(at)) hits.push({ at, score: 0, why: () => [] })
      return hits.sort((a, b) => Number(named.has(b.at)) - Number(named.has(a.at)) || b.score - a.score || a.at - b.at)
    },
  }
}

interface Scored extends SearchHit {
  /** Rounded, so that the same parts added in another order give the same score. */
  readonly score: number
}

/** Word of the only query. */
interface WantedTerm {
  readonly term: string
  /** Most letters by which a similar word may differ. */
  readonly edits: number
  /** Pieces of the word. A word within the allowed edits contains at least one of them unchanged. */
  readonly parts: readonly string[]
}

function wantedTerm(term: string): WantedTerm {
  const edits = editsOf(term) || 0
  const size = Math.ceil(term.length / (edits + 1))
  return {
    term,
    edits,
    parts: edits === 0 ? [] : Array.from({ length: edits + 1 }, (_, at) => term.slice(at * size, (at + 1) * size)),
  }
}

/** True if a search for one word may find another. It may accept too many; the index itself decides. */
function mayFind({ term, edits, parts }: WantedTerm, other: string): boolean {
  if (other.startsWith(term)) return true
  return edits > 0 && Math.abs(other.length - term.length) <= edits && parts.some(part => other.includes(part))
}

/** @param asked words of the only query; other words of a body are skipped */
function indexedTerms(part: string, field: string, asked: readonly WantedTerm[] | undefined): string[] {
  const text = part.slice(0, longestPart)
  if (field === 'name' || field === 'displayName' || field === 'aliases') return nameTermsOf(text)
  if (field !== 'body') return termsOf(text)
  // The number of times that a word stands in a body says little, and a body has thousands of words.
  if (asked === undefined) return [...new Set(termsOf(text))]
  const folded = foldedTerm(text)
  // Most bodies contain none of the words, and are not split.
  return asked.some(({ term }) => folded.includes(term))
    ? [...new Set(termsOf(text).filter(found => asked.some(({ term }) => found.startsWith(term))))]
    : []
}

/** Returns a typed name as names are compared: folded, and without a leading slash. */
function wholeName(name: string): string {
  const plain = name.trim().replace(/^\/+/, '')
  // A name of accents alone would be empty once folded.
  return foldedTerm(plain) || plain
}

function queryTerms(query: string): string[] {
  const all = [...new Set(termsOf(query))]
  const telling = all.filter(term => !idle.has(term))
  return (telling.length > 0 ? telling : all).slice(0, mostTerms)
}

/** Returns by how many letters a similar word may differ; swapped letters count as two. */
function editsOf(term: string): number | false {
  if (term.length < 4 || /\d/.test(term)) return false
  return term.length < 6 ? 1 : 2
}

function reasonsOf(match: Readonly<Record<string, readonly string[]>>): readonly SearchReason[] {
  return searchFields.flatMap(field => {
    const words = Object.keys(match)
      .filter(word => match[word]?.includes(field))
      .toSorted()
    return words.length === 0 ? [] : [{ field, words }]
  })
}
