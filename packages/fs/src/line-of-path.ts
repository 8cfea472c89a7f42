/** A way into data: keys of objects and indices of lists, from the outermost. */
export type KeyPath = readonly (string | number)[]

/** What says where one is in JSON: texts, whatever stands in them, and the marks of objects, lists and lines. */
const marks = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]/g

/** The lines on which the keys of a JSON text stand. The text is gone through once, when the first of them is asked for. */
export class KeyLines {
  readonly #text: string
  #lines: ReadonlyMap<string, number> | undefined

  /** @param text sound JSON */
  constructor(text: string) {
    this.#text = text
  }

  /**
   * The line, from 1, on which a key stands, or an object, a list or a text in a list; of a key that stands twice the later one,
   * which is the one that counts. Undefined where there is none.
   */
  of(path: KeyPath): number | undefined {
    this.#lines ??= linesOf(this.#text)
    return this.#lines.get(JSON.stringify(path))
  }

  /** The same, or the line of what is around it: for something that is missing there. Undefined where that is all of the text. */
  near(path: KeyPath): number | undefined {
    for (let length = path.length; length > 0; length--) {
      const line = this.of(path.slice(0, length))
      if (line !== undefined) return line
    }
    return undefined
  }
}

/** {@link KeyLines.of} for a single question. */
export function lineOfPath(text: string, path: KeyPath): number | undefined {
  return new KeyLines(text).of(path)
}

function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  /** The key or the index at which one is, in each object and list that is open. */
  const way: (string | number)[] = []
  let line = 1
  let isKey = false
  const note = (): void => void lines.set(JSON.stringify(way), line)
  const noteElement = (): void => {
    if (typeof way.at(-1) === 'number') note()
  }
  for (const [mark] of text.matchAll(marks)) {
    switch (mark) {
      case '\n': line++; break
      case '{': noteElement(); isKey = true; way.push(''); break
      case '[': noteElement(); isKey = false; way.push(0); break
      case '}': case ']': isKey = false; way.pop(); break
      case ',': {
        const last = way.pop() ?? ''
        isKey = typeof last === 'string'
        way.push(typeof last === 'number' ? last + 1 : last)
        break
      }
      default:
        if (isKey) {
          isKey = false
          way[way.length - 1] = String(JSON.parse(mark))
          note()
        } else noteElement()
    }
  }
  return lines
}
