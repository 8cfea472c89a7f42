import type { CatalogEntry } from '@skills/core'
import type { Listing } from '@skills/skill-tool'

/** What a strategy makes of its entries; the formatter adds what it was given and what that took. */
export type Draft = Pick<Listing, 'text' | 'entries' | 'omitted' | 'truncated'>

/** What of the agent and the time a listing depends on besides. */
export interface Moment {
  /** What the tool is called by which the agent finds what has no room. */
  readonly searchTool: string | undefined
  /** Which of the entries never used so far have their turn. */
  readonly step: number
}

/** One way to tell a model which skills there are. Each has its file. */
export interface Strategy {
  /** The order in which entries stand and room is given away. Asked each time, so that nothing is laid out anew that stands as it stood. */
  order(entries: readonly CatalogEntry[]): readonly CatalogEntry[]
  /**
   * @param budget UTF-16 code units the text may take
   */
  lay(ordered: readonly CatalogEntry[], budget: number, moment: Moment): Draft
}

/** The entries whose configuration wants them first, then the others as they were. */
export function pinnedFirst(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  if (!entries.some(isPinned)) return entries
  return [...entries.filter(isPinned), ...entries.filter(entry => !isPinned(entry))]
}

export function isPinned({ override }: CatalogEntry): boolean {
  return override === 'pinned'
}

/** Whether it comes with the program and is not pinned. */
export function isInCode({ command, override }: CatalogEntry): boolean {
  return command.source === 'bundled' && override !== 'pinned'
}

/** What comes with the program stands last: what a person has installed comes first. */
export function codeLast(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  if (!entries.some(isInCode)) return entries
  return [...entries.filter(entry => !isInCode(entry)), ...entries.filter(isInCode)]
}
