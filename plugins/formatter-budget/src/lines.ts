import { besidesName, headOf, Line, type LineOptions } from './line.js'
import type { CatalogEntry } from '@skills/core'

/**
 * Makes the lines of entries, and keeps the lines of commands that still exist, because most listings have the same
 * lines.
 */
export class Lines {
  // A map by name: a weak map of ten thousand commands slows down every garbage collection.
  #made = new Map<string, Line>()

  constructor(private readonly options: LineOptions) {}

  of(entry: CatalogEntry): Line {
    const known = this.#made.get(entry.name)
    if (known?.isOf(entry) === true) return known
    const line = new Line(entry, this.options)
    this.#made.set(entry.name, line)
    return line
  }

  /**
   * Returns the lines of entries that are never shortened, by name, as many as have room.
   * @param budget UTF-16 code units
   */
  kept(entries: readonly CatalogEntry[], budget: number): ReadonlyMap<string, Line> {
    this.#forgetBut(entries)
    const kept = new Map<string, Line>()
    let room = budget + 1
    for (const entry of entries) {
      if (!this.options.keeps(entry)) continue
      const line = this.of(entry)
      const cost = line.wholeLength + 1
      if (cost > room) continue
      room -= cost
      kept.set(entry.name, line)
    }
    return kept
  }

  /**
   * True if all entries have room in their shortest form. No line is made for an entry that may be shortened.
   * @param budget UTF-16 code units
   */
  haveRoom(entries: readonly CatalogEntry[], budget: number, kept: ReadonlyMap<string, Line>): boolean {
    if (entries.length * besidesName - 1 > budget) return false
    let length = -1
    return entries.every(entry => {
      length += (kept.get(entry.name)?.wholeLength ?? headOf(entry, this.options).length) + 1
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
