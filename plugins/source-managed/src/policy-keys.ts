/** What says where one is in JSON: texts, whatever stands in them, and the marks of objects, lists and lines. */
const marks = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]/g

/** A key that stands twice in one object. */
export interface RepeatedKey {
  readonly keys: readonly string[]
  /** The line of the second one, from 1. */
  readonly line: number
}

/**
 * The first key that is repeated where a policy may not have one twice: `skills`, and what stands in it. Parsed data no longer
 * tells, so the text is gone through, once and whatever its depth.
 * @param text sound JSON
 */
export function repeatedKey(text: string): RepeatedKey | undefined {
  const open: string[] = []
  const places = new KeyPlaces()
  let line = 1
  let isKey = false
  for (const [mark] of text.matchAll(marks)) {
    switch (mark) {
      case '\n': line++; break
      case '{': case '[': open.push(mark); isKey = mark === '{'; break
      case '}': case ']': open.pop(); isKey = false; break
      case ',': isKey = open.at(-1) === '{'; break
      default: {
        const keys = isKey ? places.add(open, mark) : undefined
        if (keys !== undefined) return { keys, line }
        isKey = false
      }
    }
  }
  return undefined
}

/** The keys seen so far that may not be repeated. */
class KeyPlaces {
  #hasSection = false
  /** Whether what is open below the file's own object is the value of `skills`. */
  #isInSection = false
  readonly #inSection = new Set<string>()

  /** The way to a key that was there before; undefined for any other. */
  add(open: readonly string[], mark: string): readonly string[] | undefined {
    // The file's own object, or one that is a key's value in it.
    if (open[0] !== '{' || open.length > 2 || (open.length === 2 && !this.#isInSection)) return undefined
    const key = String(JSON.parse(mark))
    if (open.length === 2) {
      if (this.#inSection.has(key)) return ['skills', key]
      this.#inSection.add(key)
      return undefined
    }
    this.#isInSection = key === 'skills'
    if (this.#isInSection && this.#hasSection) return ['skills']
    this.#hasSection ||= this.#isInSection
    return undefined
  }
}
