import { visit, type JSONVisitor } from 'jsonc-parser'
import { isTooDeep } from './parse-json.js'

/** Where a text stops being JSON; both count from 1, the column in UTF-16 code units. */
export interface JsonErrorPlace {
  readonly line: number
  readonly column: number
}

/**
 * Where a text stops being JSON, which not every error of `JSON.parse` tells; undefined for JSON, and for what is nested
 * more than 100 levels deep. Takes time in proportion to the text.
 * @param commas whether a comma may stand before a closing bracket. Default: no
 */
export function placeOfJsonError(text: string, commas = false): JsonErrorPlace | undefined {
  let place: JsonErrorPlace | undefined
  const onError: JSONVisitor['onError'] = (_error, _offset, _length, line, column) => {
    place ??= { line: line + 1, column: column + 1 }
  }
  if (!isTooDeep(text)) visit(text, { onError }, { disallowComments: true, allowTrailingComma: commas })
  return place
}

/** A way into data: keys of objects and indices of lists, from the outermost. */
export type KeyPath = readonly (string | number)[]

/** A key or an element, and what is below it. */
interface Place {
  readonly line: number
  /** Whether the same key was given before in its object. */
  readonly isRepeated: boolean
  readonly below: Map<string | number, Place>
}

/**
 * The lines on which the keys of a JSON text stand. The text is gone through once, when the first of them is asked for.
 */
export class KeyLines {
  #root: Place | undefined

  /** @param text sound JSON, which may have comments; one that is nested more than 100 levels deep has no lines */
  constructor(private readonly text: string) {}

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
    let place = (this.#root ??= readPlaces(this.text))
    for (const [length, key] of path.entries()) {
      const next = place.below.get(key)
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

function readPlaces(text: string): Place {
  const root: Place = { line: 1, isRepeated: false, below: new Map() }
  const open: Place[] = []
  /** What the next value belongs to. */
  let current = root
  const add = (key: string | number, line: number): void => {
    const { below } = open.at(-1) ?? root
    below.set(key, (current = { line: line + 1, isRepeated: below.has(key), below: new Map() }))
  }
  const addElement = (line: number, path: KeyPath): void => {
    const index = path.at(-1)
    if (typeof index === 'number') add(index, line)
  }
  const begin: JSONVisitor['onObjectBegin'] = (_offset, _length, line, _column, path) => {
    addElement(line, path())
    open.push(current)
  }
  const end = (): void => void open.pop()
  if (isTooDeep(text)) return root
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty: (key, _offset, _length, line) => add(key, line),
    onLiteralValue: (value, _offset, _length, line, _column, path) => {
      if (typeof value === 'string') addElement(line, path())
    },
  })
  return root
}
