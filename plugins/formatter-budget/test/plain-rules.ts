import { cutTo, type Escape } from '@skills/invocation/internal'
import { oneLine, type Listing } from '@skills/invocation/skill-tool'
import { shownName, type CatalogEntry } from '@skills/core'

export interface PlainOptions {
  readonly escape: Exclude<Escape, 'none'>
  readonly maxDescription: number
  readonly minShare: number
  note(count: number): string
}

type Said = Pick<Listing, 'text' | 'omitted' | 'truncated'>

/** One line of a listing in the plain implementation, with all values computed in advance. */
interface Row {
  readonly name: string
  readonly head: string
  readonly description: string
  readonly isCapped: boolean
  readonly keepsWhole: boolean
}

function rowOf(
  { name, command, override }: CatalogEntry,
  { escape, maxDescription }: PlainOptions,
  keepsCode: boolean,
): Row {
  const parts = command.type === 'prompt' ? [command.description, command.whenToUse ?? ''] : [command.description]
  const all =
    override === 'name-only'
      ? ''
      : parts
          .map(part => oneLine(part, escape))
          .filter(part => part !== '')
          .join(' - ')
  const keepsWhole = override === 'pinned' || (keepsCode && command.source === 'bundled')
  return {
    name,
    head: `- ${oneLine(shownName(name), escape)}`,
    description: keepsWhole ? all : cutTo(all, maxDescription),
    isCapped: !keepsWhole && all.length > maxDescription,
    keepsWhole,
  }
}

const lengthOf = ({ head, description }: Row, isWhole: boolean): number =>
  head.length + (isWhole && description !== '' ? 2 + description.length : 0) + 1

/** Reserves room for entries that are never shortened, as many as have room. */
function withinBudget(rows: readonly Row[], budget: number): readonly Row[] {
  let left = budget + 1
  return rows.map(row => {
    const keepsWhole = row.keepsWhole && lengthOf(row, true) <= left
    if (keepsWhole) left -= lengthOf(row, true)
    return { ...row, keepsWhole }
  })
}

function codeLast(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const isLast = ({ command, override }: CatalogEntry): boolean => command.source === 'bundled' && override !== 'pinned'
  return entries.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
}

function pinnedFirst(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  return entries.toSorted((a, b) => Number(b.override === 'pinned') - Number(a.override === 'pinned'))
}

/** @param units UTF-16 code units of the description; undefined for an omitted row */
function said(rows: readonly Row[], units: readonly (number | undefined)[], note?: string): Said {
  const texts: string[] = []
  const omitted: string[] = []
  const truncated: string[] = []
  rows.forEach(({ name, head, description, isCapped }, at) => {
    const length = units[at]
    if (length === undefined) return void omitted.push(name)
    texts.push(
      head + (length === 0 ? '' : `: ${description.slice(0, length)}${length < description.length ? '…' : ''}`),
    )
    if (length < description.length || (isCapped && length > 0)) truncated.push(name)
  })
  return { text: [...texts, ...(note === undefined ? [] : [note])].join('\n'), omitted, truncated }
}

/**
 * Returns the entries that have their turn in the first step: those after the pinned ones, up to a multiple of five.
 * They get readable descriptions, as many as fit into a fifth of the budget.
 */
function told(
  rows: readonly Row[],
  entries: readonly CatalogEntry[],
  budget: number,
  { minShare }: PlainOptions,
): ReadonlyMap<Row, number> {
  const all = new Map<Row, number>()
  const taken = rows.filter(({ keepsWhole }) => keepsWhole).reduce((sum, row) => sum + lengthOf(row, true), 0)
  let left = Math.min(Math.floor(budget * 0.2), budget + 1 - taken)
  const first = entries.findIndex(({ override }) => override !== 'pinned')
  const last = first + 5 * Math.floor((rows.length - first) / 5)
  for (const [at, row] of rows.entries()) {
    const entry = entries[at]
    if (first < 0 || at < first || at >= last || entry?.command.source === 'bundled') continue
    if (left <= Math.max(0, minShare - 1)) break
    const units = unitsOf(row, Math.max(0, minShare - 1))
    if (units === 0) continue
    const length = row.head.length + costOf(row, units) + 1
    if (length > left) break
    left -= length
    all.set(row, units)
  }
  return all
}

function names(
  rows: readonly Row[],
  budget: number,
  note?: (count: number) => string,
  standing: ReadonlyMap<Row, number> = new Map(),
): Said {
  const others = rows.filter(row => !row.keepsWhole && !standing.has(row)).length
  const noteLength = note === undefined ? 0 : Math.max(note(1).length, note(others).length)
  let left = budget + 1
  for (const row of rows) if (row.keepsWhole) left -= lengthOf(row, true)
  for (const [row, units] of standing) left -= row.head.length + costOf(row, units) + 1
  const hasNote = noteLength > 0 && noteLength < left
  if (hasNote) left -= noteLength + 1
  const units = rows.map(row => {
    if (row.keepsWhole) return row.description.length
    if (standing.has(row)) return standing.get(row)
    if (lengthOf(row, false) > left) return undefined
    left -= lengthOf(row, false)
    return 0
  })
  const count = units.filter(one => one === undefined).length
  return said(rows, units, hasNote && count > 0 ? note?.(count) : undefined)
}

/** Returns the ends of the characters of a text, none longer than 16 code units. */
function endsIn(text: string): readonly number[] {
  return [...new Intl.Segmenter().segment(text)].flatMap(({ index, segment }) => {
    const ends: number[] = []
    for (let end = 16; end < segment.length; end += 16)
      ends.push(
        index +
          (/^[\udc00-\udfff]/.test(segment.slice(end)) && /[\ud800-\udbff]$/.test(segment.slice(0, end))
            ? end - 1
            : end),
      )
    return [...ends, index + segment.length]
  })
}

const costOf = ({ description }: Row, units: number): number =>
  units === 0 ? 0 : 2 + units + (units < description.length ? 1 : 0)

function unitsOf({ description }: Row, count: number): number {
  if (count === 0) return 0
  const units = endsIn(description)[count - 1] ?? description.length
  return units + 1 >= description.length ? description.length : units
}

/** Distributes characters one by one, in rounds from the first to the last. */
function dealt(rows: readonly Row[], room: number): { readonly counts: readonly number[]; readonly rounds: number } {
  const counts = rows.map(() => 0)
  const isOut = rows.map(({ description }) => description === '')
  let [left, rounds] = [room, 0]
  for (let isGiven = true; isGiven;) {
    isGiven = false
    rows.forEach((row, at) => {
      const count = counts[at] ?? 0
      const cost = costOf(row, unitsOf(row, count + 1)) - costOf(row, unitsOf(row, count))
      if (isOut[at] === true || cost > left) return void (isOut[at] = true)
      left -= cost
      counts[at] = count + 1
      isGiven = true
      if (unitsOf(row, count + 1) === row.description.length) isOut[at] = true
    })
    if (isGiven) rounds++
  }
  return { counts, rounds }
}

function wholeAndLeast(rows: readonly Row[]): { readonly whole: Said; readonly least: number } {
  const whole = said(
    rows,
    rows.map(({ description }) => description.length),
  )
  return {
    whole,
    least: said(
      rows,
      rows.map(({ keepsWhole, description }) => (keepsWhole ? description.length : 0)),
    ).text.length,
  }
}

/** Implements `fair` as described in docs/reference/listing.md, without recorded use. */
export function plainFair(entries: readonly CatalogEntry[], budget: number, options: PlainOptions): Said {
  const ordered = codeLast(pinnedFirst(entries))
  const rows = withinBudget(
    ordered.map(entry => rowOf(entry, options, false)),
    budget,
  )
  const { whole, least } = wholeAndLeast(rows)
  if (least > budget) return names(rows, budget, options.note, told(rows, ordered, budget, options))
  if (whole.text.length <= budget) return whole
  const sharing = rows.filter(({ keepsWhole }) => !keepsWhole)
  const enough = Math.max(0, options.minShare - 1)
  let chosen: readonly Row[] = sharing
  if (dealt(sharing, budget - least).rounds < enough) {
    let left = budget - least
    chosen = sharing.filter(row => {
      const cost = costOf(row, unitsOf(row, enough))
      if (row.description === '' || cost > left) return false
      left -= cost
      return true
    })
  }
  const { counts } = dealt(chosen, budget - least)
  return said(
    rows,
    rows.map(row =>
      row.keepsWhole
        ? row.description.length
        : chosen.includes(row)
          ? unitsOf(row, counts[chosen.indexOf(row)] ?? 0)
          : 0,
    ),
  )
}

/** Implements `proportional` as described in docs/reference/listing.md. */
export function plainProportional(entries: readonly CatalogEntry[], budget: number, options: PlainOptions): Said {
  const rows = withinBudget(
    pinnedFirst(entries).map(entry => rowOf(entry, options, true)),
    budget,
  )
  const { whole, least } = wholeAndLeast(rows)
  if (least > budget) return names(rows, budget)
  if (whole.text.length <= budget) return whole
  const sharing = rows.filter(({ keepsWhole, description }) => !keepsWhole && description !== '')
  const share = Math.floor((budget - least - 2 * sharing.length) / sharing.length)
  if (share < Math.max(1, options.minShare)) return names(rows, budget)
  return said(
    rows,
    rows.map(({ keepsWhole, description }) => {
      const shown = keepsWhole ? description : cutTo(description, share)
      return shown === description ? description.length : Math.max(0, shown.length - 1)
    }),
  )
}

/** Implements `cutoff` as described in docs/reference/listing.md. */
export function plainCutoff(entries: readonly CatalogEntry[], budget: number, { escape }: PlainOptions): Said {
  const ordered = pinnedFirst(entries)
  const texts = ordered.map(({ name, command, override }) => {
    const line = (text: string | undefined): string => oneLine(text ?? '', escape)
    const description = override === 'name-only' ? '' : line(command.description)
    const whenToUse = override === 'name-only' || command.type !== 'prompt' ? '' : line(command.whenToUse)
    const source =
      description !== '' && ['user', 'project', 'managed'].includes(command.source) ? ` (${command.source})` : ''
    const tail = [description + source, whenToUse].filter(part => part !== '').join(' - ')
    const label = line(shownName(name))
    return (
      `- /${label.includes(' ') && !label.startsWith('"') ? `"${label}"` : label} ${line(command.argumentHint)}`.trim() +
      (tail === '' ? '' : `: ${tail}`)
    )
  })
  let shown = 0
  while (shown < texts.length && texts.slice(0, shown + 1).reduce((sum, text) => sum + text.length + 1, 0) <= budget)
    shown++
  const isLost = ({ command, override }: CatalogEntry): boolean =>
    command.description !== '' && (override === 'name-only' || oneLine(command.description, escape) === '')
  return {
    text: texts.slice(0, shown).join('\n'),
    omitted: ordered.slice(shown).map(({ name }) => name),
    truncated: ordered
      .slice(0, shown)
      .filter(isLost)
      .map(({ name }) => name),
  }
}

/** Returns the lines of skills in `fixed`, as described in docs/reference/listing.md. */
export function plainFixedLines(
  entries: readonly CatalogEntry[],
  { escape, maxDescription }: PlainOptions,
): readonly string[] {
  return pinnedFirst(entries).map(({ name, command, override }) => {
    const shown =
      override === 'name-only' ? '' : [...oneLine(command.description, escape)].slice(0, maxDescription).join('')
    return `- ${oneLine(shownName(name), escape)}${shown === '' ? '' : `: ${shown}`}`
  })
}
