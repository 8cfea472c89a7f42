/** A way into data: keys of objects and indices of lists, from the outermost. */
export type KeyPath = readonly (string | number)[]

/** What says where one is in JSON: whole texts, and the marks of objects, lists and lines. */
const marks = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]/g

/** A key or an element, and what is below it. */
interface Place {
  readonly line: number
  /** Whether the same key was given before in its object. */
  readonly isRepeated: boolean
  below: Map<string | number, Place> | undefined
}

/**
 * The lines on which the keys of a JSON text stand. The text is gone through once, when the first of them is asked for.
 */
export class KeyLines {
  readonly #text: string
  #root: Place | undefined

  /** @param text sound JSON */
  constructor(text: string) {
    this.#text = text
  }

  /**
   * The line, from 1, on which a key stands, or an object, a list or a text in a list; of a key that stands twice the
   * later one, which is the one that counts. Undefined where there is none.
   */
  of(path: KeyPath): number | undefined {
    return this.#exact(path)?.line
  }

  /** Whether a key stands twice in its object; parsed data no longer tells. False where there is none. */
  isRepeated(path: KeyPath): boolean {
    return this.#exact(path)?.isRepeated === true
  }

  /**
   * The same, or the line of what is around it: for something that is missing there. Undefined where that is all of the
   * text.
   */
  near(path: KeyPath): number | undefined {
    const [place, length] = this.#find(path)
    return length > 0 ? place.line : undefined
  }

  #exact(path: KeyPath): Place | undefined {
    const [place, length] = this.#find(path)
    return length === path.length && length > 0 ? place : undefined
  }

  /** What lies furthest on the way, and how far that is. */
  #find(path: KeyPath): readonly [place: Place, length: number] {
    let place = (this.#root ??= readPlaces(this.#text))
    for (const [length, key] of path.entries()) {
      const next = place.below?.get(key)
      if (next === undefined) return [place, length]
      place = next
    }
    return [place, path.length]
  }
}

/** {@link KeyLines.of} for a single question. */
export function lineOfPath(text: string, path: KeyPath): number | undefined {
  return new KeyLines(text).of(path)
}

/** Takes time and room in proportion to the text, however deep it goes. */
function readPlaces(text: string): Place {
  const root: Place = { line: 1, isRepeated: false, below: undefined }
  /** What is open: the objects and lists, and of a list how many elements are behind. */
  const open: { readonly place: Place; index: number | undefined }[] = []
  /** What the next value belongs to. */
  let current = root
  let line = 1
  let isKey = false
  const add = (key: string | number): void => {
    const parent = open.at(-1)?.place ?? root
    parent.below ??= new Map()
    parent.below.set(key, (current = { line, isRepeated: parent.below.has(key), below: undefined }))
  }
  const addElement = (): void => {
    const index = open.at(-1)?.index
    if (index !== undefined) add(index)
  }
  for (const [mark] of text.matchAll(marks)) {
    switch (mark) {
      case '\n':
        line++
        break
      case '{':
        addElement()
        open.push({ place: current, index: undefined })
        isKey = true
        break
      case '[':
        addElement()
        open.push({ place: current, index: 0 })
        isKey = false
        break
      case '}':
      case ']':
        open.pop()
        isKey = false
        break
      case ',': {
        const last = open.at(-1)
        isKey = last?.index === undefined
        if (last?.index !== undefined) last.index++
        break
      }
      default:
        if (isKey) {
          isKey = false
          add(String(JSON.parse(mark)))
        } else addElement()
    }
  }
  return root
}
