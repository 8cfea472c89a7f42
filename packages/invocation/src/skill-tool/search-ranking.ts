import { foldedTerm, isUnspaced, nameTermsOf, searchFields, type SearchField } from './search-text.js'

/**
 * Weight of a word by field, and how much it loses in a field that is longer than the others: 0 for nothing, 1 for as
 * much as the field is longer.
 */
const fields: Readonly<Record<SearchField, { readonly weight: number; readonly byLength: number }>> = {
  name: { weight: 8, byLength: 0.5 },
  displayName: { weight: 6, byLength: 0.5 },
  aliases: { weight: 6, byLength: 0.5 },
  keywords: { weight: 4, byLength: 0.6 },
  description: { weight: 4, byLength: 0.6 },
  whenToUse: { weight: 4, byLength: 0.6 },
  body: { weight: 1, byLength: 0.5 },
}
const boosts = /* @__PURE__ */ searchFields.map(field => fields[field].weight)
const byLength = /* @__PURE__ */ searchFields.map(field => fields[field].byLength)
export const bodyField = /* @__PURE__ */ searchFields.indexOf('body')
/** How fast a further occurrence of a word counts less (k1 of BM25F). */
const saturation = 1.2
/** Weights of words that begin with a word of the query, and of those that only resemble it. */
const [beginning, resembling] = [0.3, 0.3]

/** Words that occur in nearly every description, so a search with other words ignores them. */
const idle = /* @__PURE__ */ new Set(
  /* @__PURE__ */ 'a an and are as at be by can do does for from how i in into is it its me my of on or our that the their these this to was we what when where which who will with you your'.split(
    ' ',
  ),
)

/** Shortest beginning of a word that is searched for: a single letter would match thousands. */
const leastPrefix = 2
/** Most words of a query that are searched for, the rarest ones. */
const mostTerms = 64
/**
 * Most words of a query that someone types, which also find what begins with them or has typing errors. A longer query is
 * a text, whose words are whole.
 */
const mostTyped = 8
/**
 * Longest query and, below, longest part of a text in UTF-16 code units; the rest is ignored. A skill file has at most
 * a million.
 */
export const longestQuery = 10_000
export const longestPart = 1024 * 1024

/** Words of the texts that are searched, and which of them a word of a query finds. */
export interface Vocabulary<Word> {
  /** Returns the stem of an English word, and another word unchanged. */
  stemOf(word: string): string
  /** Returns the words with a stem. */
  alike(stem: string): readonly Word[]
  /** Returns the words that begin with these letters. */
  beginningWith(letters: string): readonly Word[]
  /** Returns the words that may be meant by a word with typing errors. */
  resembling(word: string): readonly Word[]
  /** Returns the number of texts that have one of these words. */
  textsWith(words: readonly Word[]): number
  /** Returns the number of all texts. */
  size(): number
}

/** Word of a query, with the words of the texts that it finds. */
export interface Sought<Word> {
  /** Importance of the word: its rarity, and how often the query has it. */
  readonly weight: number
  readonly found: readonly (readonly [word: Word, share: number])[]
  /** True if only what resembles the word was found. Bodies are not searched for it. */
  readonly isError: boolean
}

/** Words of a query with one stem. */
export interface QueryStem {
  readonly stem: string
  readonly terms: readonly string[]
  /** How often they are in the query. */
  readonly count: number
}

/** Words of a query by stem. What someone types also finds what begins with its words, or resembles them. */
export interface QueryStems {
  readonly stems: readonly QueryStem[]
  readonly isTyped: boolean
}

export function queryStems(query: string, stemOf: (word: string) => string): QueryStems {
  const byStem = new Map<string, { readonly stem: string; readonly terms: string[]; count: number }>()
  for (const [term, count] of queryTerms(query)) {
    const stem = stemOf(term)
    const known = byStem.get(stem)
    if (known === undefined) byStem.set(stem, { stem, terms: [term], count })
    else {
      known.count += count
      known.terms.push(term)
    }
  }
  return { stems: [...byStem.values()], isTyped: byStem.size <= mostTyped }
}

/** Returns what the rarest words of a query find, the most important word first. */
export function soughtBy<Word>(query: string, vocabulary: Vocabulary<Word>): readonly Sought<Word>[] {
  const { stems, isTyped } = queryStems(query, word => vocabulary.stemOf(word))
  return stems
    .flatMap(one => soughtAs(one, isTyped, vocabulary) ?? [])
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostTerms)
}

/** Returns what a word of the query finds; undefined if it finds nothing. */
function soughtAs<Word>(
  { stem, terms, count }: QueryStem,
  isTyped: boolean,
  vocabulary: Vocabulary<Word>,
): Sought<Word> | undefined {
  const alike = vocabulary.alike(stem)
  const longer = new Set(isTyped ? terms.filter(mayBegin).flatMap(term => vocabulary.beginningWith(term)) : [])
  for (const word of alike) longer.delete(word)
  const isError = isTyped && alike.length === 0 && longer.size === 0
  const found: Sought<Word>['found'] = isError
    ? terms.flatMap(term => vocabulary.resembling(term)).map(word => [word, resembling])
    : [...alike.map(word => [word, 1] as const), ...Array.from(longer, word => [word, beginning] as const)]
  const many = vocabulary.textsWith(alike.length > 0 ? alike : found.map(([word]) => word))
  if (many === 0) return undefined
  const rarity = Math.log(1 + (vocabulary.size() - many + 0.5) / (many + 0.5))
  return { weight: (1 + Math.log(count)) * rarity, found, isError }
}

/**
 * Returns what a word in a field adds to the count of a word of the query in a text. The counts of all fields are added
 * up before {@link scoreOf}.
 * @param count times that the word is in the field, by the share with which the query finds it
 * @param length length of the field, as `usual`
 * @param usual mean length of the field over the texts in which it is not empty
 */
export function shareOf(field: number, count: number, length: number, usual: number): number {
  return (boosts[field]! * count) / (1 - byLength[field]! + (byLength[field]! * length) / usual)
}

/** Returns the score by BM25F of a text for a word of the query, from the sum of the shares. */
export function scoreOf(weight: number, shares: number): number {
  // Rounded, so that the same parts added in another order give the same score.
  return weight * Math.fround((shares * (saturation + 1)) / (shares + saturation))
}

/** True if words that begin with these letters are searched for. */
export const mayBegin = (letters: string): boolean => letters.length >= leastPrefix || isUnspaced(letters)

/** Returns a typed name as names are compared: folded, and without a leading slash. */
export function wholeName(name: string): string {
  const plain = name.trim().replace(/^\/+/, '')
  // A name of accents alone would be empty once folded.
  return foldedTerm(plain) || plain
}

/** Returns the words of a query, with how often each is in it. */
export function queryTerms(query: string): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const term of nameTermsOf(query)) all.set(term, (all.get(term) ?? 0) + 1)
  const telling = new Map([...all].filter(([term]) => !idle.has(term)))
  return telling.size > 0 ? telling : all
}
