import { besidesName, headOf, Line, type LineOptions } from './line.js'
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
   * Names of those that are never shortened, as many as have room.
   * @param budget UTF-16 code units
   */
  kept(entries: readonly CatalogEntry[], budget: number): ReadonlySet<string> {
    this.#forgetBut(entries)
    const kept = new Set<string>()
    let room = budget + 1
    for (const entry of entries) {
      if (!this.#options.keeps(entry)) continue
      const cost = this.of(entry).wholeLength + 1
      if (cost > room) continue
      room -= cost
      kept.add(entry.name)
    }
    return kept
  }

  /**
   * Whether all have room at their shortest. No line is made of one that may be shortened.
   * @param budget UTF-16 code units
   */
  haveRoom(entries: readonly CatalogEntry[], budget: number, kept: ReadonlySet<string>): boolean {
    if (entries.length * besidesName - 1 > budget) return false
    let length = -1
    return entries.every(entry => {
      length += (kept.has(entry.name) ? this.of(entry).wholeLength : headOf(entry, this.#options).length) + 1
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
