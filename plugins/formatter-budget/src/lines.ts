import { besidesName, headOf, keepsWhole, Line, type LineOptions } from './line.js'
import type { CatalogEntry } from '@skills/core'

/** Makes lines, and keeps those of commands that are still there: most listings are made of the same ones. */
export class Lines {
  readonly #options: LineOptions
  // By name: a weak map of ten thousand commands makes every collection of garbage slow.
  #made = new Map<string, Line>()

  constructor(options: LineOptions) {
    this.#options = options
  }

  of(entry: CatalogEntry): Line {
    const known = this.#made.get(entry.name)
    if (known?.isOf(entry) === true) return known
    const line = new Line(entry, this.#options)
    this.#made.set(entry.name, line)
    return line
  }

  /**
   * Whether all have room at their shortest. No line is made of one that may be shortened.
   * @param budget UTF-16 code units
   */
  haveRoom(entries: readonly CatalogEntry[], budget: number): boolean {
    this.#forgetBut(entries)
    if (entries.length * besidesName - 1 > budget) return false
    let length = -1
    return entries.every(entry => {
      length += (keepsWhole(entry) ? this.of(entry).wholeLength : headOf(entry, this.#options).length) + 1
      return length <= budget
    })
  }

  ofAll(entries: readonly CatalogEntry[]): readonly Line[] {
    return entries.map(entry => this.of(entry))
  }

  #forgetBut(entries: readonly CatalogEntry[]): void {
    if (this.#made.size <= 2 * entries.length) return
    const names = new Set(entries.map(({ name }) => name))
    this.#made = new Map([...this.#made].filter(([name]) => names.has(name)))
  }
}
