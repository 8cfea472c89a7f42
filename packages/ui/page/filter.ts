import type { Health, SkillRow, ToldShare } from '../src/api.js'

export type Order = 'precedence' | 'name' | 'source' | 'problems'

export interface Filter {
  /** Words that all have to occur in the name, the description or the path. */
  readonly words: string
  readonly state: string
  readonly source: string
  readonly order: Order
}

/** Filter without an effect. */
export const noFilter: Filter = { words: '', state: '', source: '', order: 'precedence' }

/**
 * Row with its text for the filter, computed once, so that 60,000 descriptions are not lowercased at every key press.
 */
export interface Indexed {
  readonly row: SkillRow
  readonly text: string
  /** Part of the listing that is about the skill; undefined if there is none, or if the listing is not loaded yet. */
  readonly told: ToldShare | undefined
  /** True if it is refused until its folder is trusted. */
  readonly needsTrust: boolean
  /** True if it is known what the listing has of each skill. */
  readonly isToldKnown: boolean
}

/** True if a skill can be invoked. */
export const isUsable = ({ state }: SkillRow): boolean => state === 'active' || state === 'qualified'

/** @param health undefined until it is known */
export function indexed(rows: readonly SkillRow[], health?: Pick<Health, 'told' | 'needsTrust'>): readonly Indexed[] {
  const told = new Map(health?.told.map(one => [one.name, one]))
  const waiting = new Set(health?.needsTrust)
  return rows.map(row => ({
    row,
    text: `${row.name}\n${row.description ?? ''}\n${row.path ?? ''}`.toLowerCase(),
    told: isUsable(row) ? told.get(row.name) : undefined,
    needsTrust: isUsable(row) && waiting.has(row.name),
    isToldKnown: health !== undefined,
  }))
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
export function matching(all: readonly Indexed[], { words, state, source }: Filter): readonly Indexed[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found: Indexed[] = []
  for (const one of all)
    if (
      (source === '' || one.row.source === source) &&
      (state === '' || isIn(state, one)) &&
      wanted.every(word => one.text.includes(word))
    )
      found.push(one)
  return found
}

/** True if a row is in a state: of the catalog, of the listing (`told-cut`), `not-told`, `trust` or `problems`. */
export function isIn(state: string, { row, told, needsTrust, isToldKnown }: Indexed): boolean {
  if (state === 'problems') return row.errors + row.warnings > 0
  if (state === 'trust') return needsTrust
  if (state === 'not-told') return isToldKnown && isUsable(row) && told === undefined
  // A skill under a longer name is invoked as the others are.
  if (state === 'active') return isUsable(row)
  return state.startsWith('told-') ? told?.shown === state.slice('told-'.length) : row.state === state
}
