import { Graphemes } from './graphemes.js'
import { shownName, type CatalogEntry } from '@skills/core'
import { cutTo, descriptionOf, ellipsis, type Escape } from '@skills/invocation/internal'
import { oneLine, type ListingEntry } from '@skills/invocation/skill-tool'

export interface LineOptions {
  /** Most UTF-16 code units of description and when-to-use together. */
  readonly maxDescription: number
  readonly escape: Escape
  /** Show a display name that differs from the name after it, in parentheses. */
  readonly showsDisplayName: boolean | 'qualified'
  /** True for entries that their display name calls. Default: all. */
  readonly calledByDisplayName?: (entry: CatalogEntry) => boolean
  /** Returns true for entries that are never shortened while there is room. */
  readonly keeps: (entry: CatalogEntry) => boolean
  /** Returns true for entries whose description is never capped. Default: as `keeps`. */
  readonly isWhole?: (entry: CatalogEntry) => boolean
  /** Returns text between the description and the when-to-use. Default: none. */
  readonly scopeOf?: (entry: CatalogEntry) => string
}

/** Two characters that no escape changes, even if the text after them is cut off. */
const plainBeginning = /^[!-;=?-~]{2}/

/** Entry as a line of the listing: `- name: description - when to use`. */
export class Line {
  readonly name: string
  /** Beginning of the line: `- name`. */
  readonly head: string
  readonly #scope: string
  readonly #isCalledByDisplayName: boolean
  #said: Said | undefined
  #graphemes: Graphemes | undefined
  /** Last entry that was made. Nearly always it is needed again. */
  #shown: { readonly units: number; readonly entry: ListingEntry } | undefined

  constructor(
    private readonly entry: CatalogEntry,
    private readonly options: LineOptions,
  ) {
    this.name = entry.name
    this.head = headOf(entry, options)
    this.#scope = options.scopeOf?.(entry) ?? ''
    this.#isCalledByDisplayName = options.calledByDisplayName?.(entry) ?? true
  }

  /** True if the line is the same for this entry. A reload makes new entries. */
  isOf(entry: CatalogEntry): boolean {
    const isSame = entry.command === this.entry.command && entry.override === this.entry.override
    const { scopeOf, calledByDisplayName } = this.options
    return (
      isSame &&
      (scopeOf?.(entry) ?? '') === this.#scope &&
      (calledByDisplayName?.(entry) ?? true) === this.#isCalledByDisplayName
    )
  }

  /** Description on one line. Empty if there is none, or if only the name is wanted. */
  get description(): string {
    return this.#described().description
  }

  /** True if the description is shortened even with enough room. */
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

  /** Returns the UTF-16 code units that `units` of the description add to the head. */
  costOf(units: number): number {
    if (units === 0) return 0
    return separator.length + (units < this.description.length ? units + ellipsis.length : units)
  }

  /** @param units UTF-16 code units of the description, ending between two of its graphemes */
  show(units: number): ListingEntry {
    if (this.#shown?.units === units) return this.#shown.entry
    const entry = this.#entryOf(units)
    this.#shown = { units, entry }
    return entry
  }

  #entryOf(units: number): ListingEntry {
    const { name, head } = this
    if (units === 0) return { name, text: head, shown: 'name' }
    const { description } = this
    if (units >= description.length)
      return {
        name,
        text: head + separator + description,
        ...(this.isCapped ? { shown: 'cut', isCapped: true } : { shown: 'whole' }),
      }
    return { name, text: head + separator + description.slice(0, units) + ellipsis, shown: 'cut' }
  }

  showWhole(): ListingEntry {
    return this.show(this.description.length)
  }

  /** @param most UTF-16 code units of the description, including the mark of a shortened one */
  showWithin(most: number): ListingEntry {
    const { description } = this
    const text = cutTo(description, most)
    return this.show(text === description ? description.length : Math.max(0, text.length - ellipsis.length))
  }

  /** Returns the description, computed on demand: if not even names fit, thousands of descriptions are not needed. */
  #described(): Said {
    return (this.#said ??= saidOf(this.entry, this.options))
  }
}

/** Text before a description. */
export const separator = ': '
/** Number of UTF-16 code units in a line besides the name, including the line break. */
export const besidesName = '- \n'.length

/** Returns the display name of a command, with the name of its plugin. */
export function fullDisplayName(command: CatalogEntry['command']): string {
  const plugin = command.type === 'prompt' ? command.pluginName : undefined
  return plugin === undefined ? command.displayName : `${plugin}:${command.displayName}`
}

/** Returns the shortest form of an entry: `- name`. */
export function headOf(entry: CatalogEntry, options: LineOptions): string {
  const { name, command, doubt } = entry
  const { escape, showsDisplayName } = options
  const label = oneLine(shownName(name, doubt !== undefined), escape)
  const isOther =
    showsDisplayName !== false &&
    command.displayName !== command.name &&
    !(showsDisplayName === 'qualified' && entry.override === 'name-only')
  const full = showsDisplayName === 'qualified' ? fullDisplayName(command) : command.displayName
  const display = isOther && options.calledByDisplayName?.(entry) !== false ? oneLine(full, escape) : ''
  return display === '' || display === label ? `- ${label}` : `- ${label} (${display})`
}

/** True if an entry has a description. Usually its beginning is enough to decide, and the rest is not formatted. */
export function isDescribed(entry: CatalogEntry, options: LineOptions): boolean {
  if (entry.override === 'name-only') return false
  return (
    (options.maxDescription >= 2 && plainBeginning.test(entry.command.description)) ||
    saidOf(entry, options).description !== ''
  )
}

interface Said {
  readonly description: string
  readonly isCapped: boolean
}

function saidOf(entry: CatalogEntry, { maxDescription, escape, keeps, isWhole = keeps, scopeOf }: LineOptions): Said {
  const all = entry.override === 'name-only' ? '' : descriptionOf(entry.command, escape, scopeOf?.(entry))
  if (isWhole(entry)) return { description: all, isCapped: false }
  return { description: cutTo(all, maxDescription), isCapped: all.length > maxDescription }
}
