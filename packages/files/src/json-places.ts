import { visit, type JSONVisitor } from 'jsonc-parser'
import { isTooDeep } from './parse-json.js'

/** Place where a text stops being JSON. Line and column count from 1, the column in UTF-16 code units. */
export interface JsonErrorPlace {
  readonly line: number
  readonly column: number
}

/**
 * Returns the place where a text stops being JSON, because some errors of `JSON.parse` do not have it. Returns
 * undefined for valid JSON, and for a text nested more than 100 levels deep. Takes time in proportion to the text.
 * @param commas true if a comma may stand before a closing bracket. Default: false
 */
export function placeOfJsonError(text: string, commas = false): JsonErrorPlace | undefined {
  let place: JsonErrorPlace | undefined
  const onError: JSONVisitor['onError'] = (_error, _offset, _length, line, column) => {
    place ??= { line: line + 1, column: column + 1 }
  }
  if (!isTooDeep(text)) visit(text, { onError }, { disallowComments: true, allowTrailingComma: commas })
  return place
}

/** Path into data: keys of objects and indices of lists, outermost first. */
export type KeyPath = readonly (string | number)[]

/** Key or element, with what is below it. */
interface Place {
  readonly line: number
  /** True if the same key stood earlier in its object. */
  readonly isRepeated: boolean
  readonly below: Map<string | number, Place>
}

/** Finds the lines of the keys in a JSON text. Reads the text once, at the first question. */
export class KeyLines {
  #root: Place | undefined

  /** @param text valid JSON, which may have comments; if it is nested more than 100 levels deep, no key has a line */
  constructor(private readonly text: string) {}

  /**
   * Returns the line of a key, an object, a list, or an element of a list, from 1. If a key stands twice, the later one
   * counts. Undefined if there is no such key.
   */
  of(path: KeyPath): number | undefined {
    return this.#exact(path)?.line
  }

  /**
   * Returns true if a key stands twice in its object, which parsed data no longer shows. False if there is no such key.
   */
  isRepeated(path: KeyPath): boolean {
    return this.#exact(path)?.isRepeated === true
  }

  /**
   * Returns the line of a key, or of the nearest value around it if the key is missing. Undefined if that is the whole
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

  /** Returns the furthest place on a path, and the number of keys that led there. */
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

/** Returns {@link KeyLines.of} for a single question. */
export function lineOfPath(text: string, path: KeyPath): number | undefined {
  return new KeyLines(text).of(path)
}

function readPlaces(text: string): Place {
  const root: Place = { line: 1, isRepeated: false, below: new Map() }
  const open: Place[] = []
  /** Place that the next value belongs to. */
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
