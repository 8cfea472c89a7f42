import type { partWords } from './words.js'
import type { Health, SkillRow } from '../src/api.js'

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
  /** Tokens that it costs in each turn; undefined if it is not listed, or if that is not known yet. */
  readonly tokens: number | undefined
  /** True if it is refused until its folder is trusted. */
  readonly needsTrust: boolean
}

/** True if a skill can be invoked. */
export const isUsable = ({ state }: SkillRow): boolean => state === 'active' || state === 'qualified'

/** Returns the part of a skill that the listing has; undefined if a flag, a setting or a rule keeps it from the model. */
export function partOf({ told: { told, cause } }: Pick<SkillRow, 'told'>): keyof typeof partWords | undefined {
  if (told === 'no') return cause === 'budget' ? 'omitted' : undefined
  return told === 'user' || told === 'later' ? undefined : told
}

/** @param health undefined until it is known */
export function indexed(rows: readonly SkillRow[], health?: Pick<Health, 'costs' | 'needsTrust'>): readonly Indexed[] {
  const tokens = new Map(health?.costs.map(one => [one.name, one.tokens]))
  const waiting = new Set(health?.needsTrust)
  return rows.map(row => ({
    row,
    text: `${row.name}\n${row.description ?? ''}\n${row.path ?? ''}`.toLowerCase(),
    tokens: isUsable(row) ? tokens.get(row.name) : undefined,
    needsTrust: isUsable(row) && waiting.has(row.name),
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
export function isIn(state: string, { row, needsTrust }: Indexed): boolean {
  if (state === 'problems') return row.errors + row.warnings > 0
  if (state === 'trust') return needsTrust
  if (state === 'not-told') return isUsable(row) && partOf(row) === undefined
  // A skill under a longer name is invoked as the others are.
  if (state === 'active') return isUsable(row)
  return state.startsWith('told-') ? isUsable(row) && state === `told-${partOf(row)}` : row.state === state
}
