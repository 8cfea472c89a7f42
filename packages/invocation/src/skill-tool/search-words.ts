import { editsBetween } from '@skills/core/internal'

/** Numbers of words that the only query does not find whole, and of those that do not even resemble its words. */
const [unfound, unlike] = [-1, -2]

/** Words of texts, each with a number, and which of them a word of a query finds. */
export class SearchWords {
  readonly #stem: (word: string) => string
  /** Words of the only query. Words that it does not find get no number. */
  readonly #asked: readonly { readonly term: string; readonly stem: string; readonly beginning: string }[] | undefined
  /** Number of each word, or why it has none. */
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []
  readonly #byStem = new Map<string, number[]>()
  /** Words that stand elsewhere than in a body. Typing errors are looked for among these alone. */
  readonly #shown = new Set<number>()
  /** Numbers in the order of their words; undefined until they are asked for. */
  #inOrder: readonly number[] | undefined

  /**
   * @param stem returns the stem of an English word
   * @param only words of the only query; undefined for any number of queries
   */
  constructor(stem: (word: string) => string, only?: readonly string[]) {
    this.#stem = stem
    this.#asked = only?.map(term => ({ term, stem: this.stemOf(term), beginning: this.beginningOf(term) }))
  }

  word(number: number): string {
    return this.#words[number] ?? ''
  }

  /** Returns the number of a word of a text, or undefined if the only query does not find the word. */
  add(word: string, isInBody: boolean): number | undefined {
    let number = this.#numbers.get(word) ?? this.#new(word)
    // Typing errors are not looked for in bodies, which have most of the words.
    if (number === unfound && !isInBody)
      number = this.#asked?.some(({ term }) => isTypingErrorOf(term, word)) === true ? this.#kept(word) : unlike
    this.#numbers.set(word, number)
    if (number < 0) return undefined
    if (!isInBody) this.#shown.add(number)
    return number
  }

  #new(word: string): number {
    const isFound =
      this.#asked?.some(
        ({ term, stem, beginning }) =>
          word.startsWith(beginning) && (word.startsWith(term) || this.stemOf(word) === stem),
      ) ?? true
    return isFound ? this.#kept(word) : unfound
  }

  #kept(word: string): number {
    const stem = this.stemOf(word)
    const number = this.#words.push(word) - 1
    const others = this.#byStem.get(stem)
    if (others === undefined) this.#byStem.set(stem, [number])
    else others.push(number)
    return number
  }

  stemOf(word: string): string {
    return stemWith(this.#stem, word)
  }

  /** Returns the letters with which every word begins that this one finds by its stem or as its beginning. */
  beginningOf(word: string): string {
    const stem = this.stemOf(word)
    // Stems end in these letters where their words may not: "hope" of "hoping", "happi" of "happy", "sensibl" of
    // "sensibility".
    const beginning = /[eil]$/.test(stem) ? stem.slice(0, -1) : stem
    return word.startsWith(beginning) ? beginning : ''
  }

  /** Returns the words with a stem. */
  alike(stem: string): readonly number[] {
    return this.#byStem.get(stem) ?? []
  }

  /** Returns the words that begin with these letters. */
  beginningWith(letters: string): readonly number[] {
    const words = this.#words
    const inOrder = (this.#inOrder ??= Array.from(words.keys()).sort((a, b) => (words[a]! < words[b]! ? -1 : 1)))
    let [from, to] = [0, inOrder.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (words[inOrder[middle]!]! < letters) from = middle + 1
      else to = middle
    }
    const found: number[] = []
    for (let at = from; at < inOrder.length && words[inOrder[at]!]!.startsWith(letters); at++) found.push(inOrder[at]!)
    return found
  }

  /** Returns the words outside of bodies that may be meant by a word with typing errors. */
  resembling(word: string): readonly number[] {
    return [...this.#shown].filter(number => isTypingErrorOf(word, this.word(number)))
  }
}

const isEnglish = /^[a-z]+$/

/** Returns the stem of a word. A word of another alphabet and a word with digits is its own stem. */
function stemWith(stem: (word: string) => string, word: string): string {
  return isEnglish.test(word) ? stem(word) : word
}

/** Loads the library that makes stems. Returns a function that returns the stem of a word. */
export async function loadStems(): Promise<(word: string) => string> {
  const { stemmer } = await import('stemmer')
  return word => stemWith(stemmer, word)
}

/** True if one word may be the other one with typing errors. Swapped neighbours are one error. */
export function isTypingErrorOf(word: string, other: string): boolean {
  const most = errorsIn(word)
  return most > 0 && Math.abs(other.length - word.length) <= most && editsBetween(word, other) <= most
}

/** Returns how many typing errors a word may have. */
function errorsIn(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0
  return word.length < 6 ? 1 : 2
}
