import { isPinned } from './strategy.js'
import { fair, type FairOptions } from './fair.js'
import { ranked, type RankOptions } from './rank.js'
import type { CatalogEntry } from '@skills/core'
import type { Draft, Moment, Strategy } from '@skills/invocation/skill-tool'
import type { FormatterContext, FoundEntries, Shortlisted } from '@skills/invocation/internal'

/** Skills of a shortlist, pinned ones first, then by name. */
export interface Chosen {
  readonly entries: readonly CatalogEntry[]
  readonly shortlist: Shortlisted
  /** Number of skills that the line about those that are left out counts, besides those without room. */
  readonly unlisted: number
}

export interface ChoiceOptions extends RankOptions {
  /** Skills besides those that are pinned or in use. */
  readonly most: number
  readonly signal: AbortSignal
}

/** Messages that the choice depends on. What was asked before them is a matter of the past. */
const mostMessages = 3

/**
 * Chooses what is pinned, what is in use, and the skills that fit the last messages best, also of large sources: half
 * of the places belong to the newest message, and half of those left to the one before, since a short answer such as
 * "yes" says nothing of the task. Where too few fit, or nothing was said yet, those used most follow. The order is that
 * of the names, so that the text stays the same as long as the same skills are chosen.
 */
export async function choose(
  entries: readonly CatalogEntry[],
  { messages = [], inUse = [], named, find }: FormatterContext,
  { most, signal, ...rank }: ChoiceOptions,
): Promise<Chosen> {
  const places = new Map(entries.filter(isPinned).map(entry => [entry.name, entry]))
  const used = inUse.length === 0 ? [] : await named?.(inUse, { signal })
  for (const entry of used ?? []) places.set(entry.name, entry)
  const whole = places.size + most
  const add = (more: readonly CatalogEntry[], upTo = whole): void => {
    for (const entry of more) {
      if (places.size >= upTo) return
      if (!places.has(entry.name)) places.set(entry.name, entry)
    }
  }
  const asked = messages.slice(-mostMessages).filter(text => text.trim() !== '')
  const fitting: FoundEntries[] = []
  for (const query of asked.toReversed()) {
    const found = await find?.(query, { limit: whole, signal })
    if (found !== undefined) fitting.push(found)
  }
  for (const [at, { entries: found }] of fitting.entries()) {
    const isLast = at === fitting.length - 1
    add(found, isLast ? whole : places.size + Math.ceil((whole - places.size) / 2))
  }
  for (const found of [...fitting.map(one => one.entries), ranked(entries, rank)]) add(found)
  const left = entries.flatMap(({ name }) => (places.has(name) ? [] : [name]))
  const beyond = fitting[0]?.inLargeSources ?? 0
  const ofLarge = places.size - (entries.length - left.length)
  return {
    entries: [...places.values()].toSorted(
      (a, b) => Number(isPinned(b)) - Number(isPinned(a)) || (a.name < b.name ? -1 : 1),
    ),
    shortlist: { most, left, beyond },
    unlisted: left.length + Math.max(0, beyond - ofLarge),
  }
}

/** Moment of a listing, with what was chosen for it. */
export interface ChosenMoment extends Moment {
  readonly chosen?: Chosen | undefined
}

/** Lays out what was chosen as `fair` does, and says in a last line how many skills there are besides. */
export function shortlist(options: Omit<FairOptions, 'floor'>): Strategy {
  const own = fair({ ...options, floor: 0, note: () => '' })
  return {
    order: entries => entries,
    lay(ordered, budget, moment: ChosenMoment): Draft {
      const { left = [] } = moment.chosen?.shortlist ?? {}
      const { unlisted = 0 } = moment.chosen ?? {}
      const note = (count: number): string => options.note(count, moment.searchTool)
      const whole = own.lay(ordered, budget, moment)
      if (unlisted + whole.omitted.length === 0) return whole
      // The count of those without room is not known yet.
      const room = budget - Math.max(note(1).length, note(unlisted + ordered.length).length) - 1
      if (room < 0) return { ...whole, omitted: [...whole.omitted, ...left] }
      const draft = own.lay(ordered, room, moment)
      return {
        ...draft,
        text: [draft.text, note(unlisted + draft.omitted.length)].filter(text => text !== '').join('\n'),
        omitted: [...draft.omitted, ...left],
      }
    },
  }
}
