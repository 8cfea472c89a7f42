import { Graphemes } from './graphemes.js'
import type { CatalogEntry, Command } from '@skills/core'
import { cutTo, ellipsis, oneLine, type Escape, type ListingEntry } from '@skills/skill-tool'

export interface LineOptions {
  /** UTF-16 code units of description and when-to-use together. */
  readonly maxDescription: number
  readonly escape: Escape
  /** Whether a display name that differs from the name stands behind it, in parentheses. */
  readonly showsDisplayName: boolean
}

/** An entry as it could stand in the listing: `- name: description - when to use`. */
export class Line {
  readonly name: string
  /** `- name` */
  readonly head: string
  /** Whether it is never shortened. */
  readonly keepsWhole: boolean
  readonly #entry: CatalogEntry
  readonly #options: LineOptions
  #said: { readonly description: string; readonly isCapped: boolean } | undefined
  #graphemes: Graphemes | undefined
  /** As it was shown last: nearly always it is shown so again. */
  #shown: { readonly units: number; readonly entry: ListingEntry } | undefined

  constructor(entry: CatalogEntry, options: LineOptions) {
    const { name, command, override } = entry
    const { escape } = options
    const label = oneLine(name, escape)
    const display = options.showsDisplayName && command.displayName !== command.name ? oneLine(command.displayName, escape) : ''
    this.name = name
    this.head = display === '' || display === label ? `- ${label}` : `- ${label} (${display})`
    this.keepsWhole = override === 'pinned' || command.source === 'bundled'
    this.#entry = entry
    this.#options = options
  }

  /** Whether it says what it would say of this entry: a reload makes entries anew. */
  isOf({ command, override }: CatalogEntry): boolean {
    return command === this.#entry.command && override === this.#entry.override
  }

  /** Empty when there is none, or none is wanted. */
  get description(): string {
    return this.#described().description
  }

  /** Whether the description is shortened whatever room there is. */
  get isCapped(): boolean {
    return this.#described().isCapped
  }

  /** UTF-16 code units with the whole description. */
  get wholeLength(): number {
    return this.head.length + this.costOf(this.description.length)
  }

  get graphemes(): Graphemes {
    return (this.#graphemes ??= new Graphemes(this.description))
  }

  /** UTF-16 code units that so many of the description add to the head. */
  costOf(units: number): number {
    if (units === 0) return 0
    return separator.length + (units < this.description.length ? units + ellipsis.length : units)
  }

  /** @param units how many UTF-16 code units of the description, ending between two of its graphemes */
  show(units: number): ListingEntry {
    if (this.#shown?.units === units) return this.#shown.entry
    const entry = this.#entryOf(units)
    this.#shown = { units, entry }
    return entry
  }

  #entryOf(units: number): ListingEntry {
    const { name, head, description } = this
    if (units === 0) return { name, text: head, shown: 'name' }
    if (units >= description.length) return { name, text: head + separator + description, shown: this.isCapped ? 'cut' : 'whole' }
    return { name, text: head + separator + description.slice(0, units) + ellipsis, shown: 'cut' }
  }

  showWhole(): ListingEntry {
    return this.show(this.description.length)
  }

  /** @param most UTF-16 code units of the description, the mark of a shortened one included */
  showWithin(most: number): ListingEntry {
    const { description } = this
    const text = cutTo(description, most)
    return this.show(text === description ? description.length : Math.max(0, text.length - ellipsis.length))
  }

  /** Made when first asked for: where not even names fit, thousands of descriptions are of no use. */
  #described(): { readonly description: string; readonly isCapped: boolean } {
    if (this.#said !== undefined) return this.#said
    const { command, override } = this.#entry
    const { maxDescription, escape } = this.#options
    const all = override === 'name-only' ? '' : descriptionOf(command, escape)
    if (this.keepsWhole) return (this.#said = { description: all, isCapped: false })
    return (this.#said = { description: cutTo(all, maxDescription), isCapped: all.length > maxDescription })
  }
}

/** Before a description. */
export const separator = ': '

function descriptionOf(command: Command, escape: Escape): string {
  const whenToUse = command.type === 'prompt' ? command.whenToUse ?? '' : ''
  return [command.description, whenToUse].map(text => oneLine(text, escape)).filter(text => text !== '').join(' - ')
}

/** Makes lines, and keeps those of commands that are still there: most listings are made of the same ones. */
export function lineMaker(options: LineOptions): (entries: readonly CatalogEntry[]) => readonly Line[] {
  // By name: a weak map of ten thousand commands makes every collection of garbage slow.
  let made = new Map<string, Line>()
  const lineOf = (entry: CatalogEntry): Line => {
    const known = made.get(entry.name)
    if (known?.isOf(entry) === true) return known
    const line = new Line(entry, options)
    made.set(entry.name, line)
    return line
  }
  return entries => {
    const lines = entries.map(lineOf)
    if (made.size > 2 * lines.length) made = new Map(lines.map(line => [line.name, line]))
    return lines
  }
}
