import type { SkillRow } from '../src/api.js'

export type Order = 'precedence' | 'name' | 'source' | 'problems'

export interface Filter {
  /** Words that all have to occur in the name, the description or the path. */
  readonly words: string
  readonly state: string
  readonly source: string
  readonly order: Order
}

export const noFilter: Filter = { words: '', state: '', source: '', order: 'precedence' }

/**
 * Row with its text for the filter, computed once, so that 60,000 descriptions are not lowercased at every key press.
 */
export interface Indexed {
  readonly row: SkillRow
  readonly text: string
}

export function indexed(rows: readonly SkillRow[]): readonly Indexed[] {
  return rows.map(row => ({ row, text: `${row.name}\n${row.description ?? ''}\n${row.path ?? ''}`.toLowerCase() }))
}

const byText = new Intl.Collator('en', { numeric: true }).compare

/** Sorts the rows. Called when the order changes, and not at every key press in the filter. */
export function ordered(all: readonly Indexed[], order: Order): readonly Indexed[] {
  if (order === 'precedence') return all
  const weight = ({ row }: Indexed): number => row.errors * 1000 + row.warnings
  if (order === 'problems') return all.toSorted((a, b) => weight(b) - weight(a))
  const keyed = (row: SkillRow): string => (order === 'source' ? `${row.source ?? ''}\n${row.name}` : row.name)
  return all.toSorted((a, b) => byText(keyed(a.row), keyed(b.row)))
}

/** Returns the rows that match a filter, in the given order. */
export function matching(all: readonly Indexed[], { words, state, source }: Filter): readonly SkillRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found: SkillRow[] = []
  for (const { row, text } of all)
    if (
      (source === '' || row.source === source) &&
      (state === '' || isIn(state, row)) &&
      wanted.every(word => text.includes(word))
    )
      found.push(row)
  return found
}

const isIn = (state: string, row: SkillRow): boolean =>
  state === 'problems' ? row.errors + row.warnings > 0 : row.state === state
