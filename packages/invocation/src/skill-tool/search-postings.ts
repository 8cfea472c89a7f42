/** Place of a word: the text, the field and the count in 24, 3 and 5 bits. */
type Place = number

const mostCount = 31

export const textIn = (place: Place): number => place >>> 8
export const fieldIn = (place: Place): number => (place >>> 5) & 7
export const countIn = (place: Place): number => place & mostCount

/** Where the words of texts stand: for each word the texts and fields, with how often it is in them. */
export class SearchPostings {
  /** Number of the word of each place, until the places are sorted. */
  #words = new Uint32Array(1024)
  #places = new Uint32Array(1024)
  #size = 0
  /** Index of the first place of each word, and one more for the end. */
  #starts: Uint32Array | undefined
  /** For {@link textsWith}: the texts that it has counted have the number of its call. */
  #counted = new Uint32Array(0)
  #call = 0

  /**
   * Adds a place. It is an error of the caller to add one after the first question.
   * @param text number of the text, at most 16,777,215; not below that of the place before
   * @param field number of the field, at most 7
   * @param count times that the word is in the field; 31 stands for more
   */
  add(word: number, text: number, field: number, count: number): void {
    if (this.#size === this.#words.length) {
      this.#words = grown(this.#words)
      this.#places = grown(this.#places)
    }
    this.#words[this.#size] = word
    this.#places[this.#size++] = (text << 8) | (field << 5) | Math.min(count, mostCount)
  }

  /** Returns the places of a word, in the order of the texts. */
  placesOf(word: number): Uint32Array {
    const starts = (this.#starts ??= this.#sorted())
    return this.#places.subarray(starts[word] ?? 0, starts[word + 1] ?? 0)
  }

  /** Returns how many texts have one of these words. */
  textsWith(words: readonly number[]): number {
    this.#call++
    let many = 0
    for (const word of words)
      for (const place of this.placesOf(word)) {
        const text = textIn(place)
        if (this.#counted[text] === this.#call) continue
        this.#counted[text] = this.#call
        many++
      }
    return many
  }

  /** Sorts the places by word; those of one word keep their order. */
  #sorted(): Uint32Array {
    const words = this.#words.subarray(0, this.#size)
    const last = words.reduce((most, word) => Math.max(most, word), 0)
    const starts = new Uint32Array(last + 2)
    for (const word of words) starts[word + 1]!++
    for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!
    const next = starts.slice()
    const places = new Uint32Array(this.#size)
    for (let at = 0; at < this.#size; at++) places[next[words[at]!]!++] = this.#places[at]!
    this.#places = places
    this.#words = new Uint32Array(0)
    this.#counted = new Uint32Array(places.reduce((most, place) => Math.max(most, textIn(place)), 0) + 1)
    return starts
  }
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
