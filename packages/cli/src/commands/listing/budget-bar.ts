import type { ToldListing } from '@skills/host/internal'
import { sharesOf } from '@skills/ui/internal'
import { counted } from '../../output/problems.js'
import { printableLine } from '../../output/printable.js'
import { pad, widthOf } from '../../output/width.js'
import type { Style } from '../../output/style.js'

/** Marks that can be told apart without colours. */
const marks = ['█', '▓', '▒', '◆', '■', '●', '▲', '○']
const free = '·'
const widest = 60

/** Returns a bar as wide as the budget, with a segment for each source, and a legend below it. */
export function budgetBar(
  told: Pick<ToldListing, 'listing' | 'sources'>,
  columns: number,
  style: Style,
): readonly string[] {
  const shares = sharesOf(told)
  const { budgetChars, usedChars } = told.listing
  // A listing of only names may exceed its budget, and some strategies have no budget.
  const whole = Math.max(Number.isFinite(budgetChars) ? budgetChars : 0, usedChars, 1)
  const width = Math.max(10, Math.min(widest, columns - 2))
  const paints = [style.cyan, style.magenta, style.green, style.yellow, style.blue, style.red]
  const painted = (at: number, text: string): string => paints[at % paints.length]?.(text) ?? text
  const markOf = (at: number): string => marks[at % marks.length] ?? '█'
  let taken = 0
  let before = 0
  const stretches = shares.map(({ chars }, at) => {
    before += chars
    // Rounding ends instead of lengths leaves no gaps. Each source gets at least one cell.
    const end = Math.min(width, Math.max(taken + 1, Math.round((before / whole) * width)))
    const length = Math.max(0, end - taken)
    taken += length
    return painted(at, markOf(at).repeat(length))
  })
  const cells = shares.reduce((most, { source }) => Math.max(most, widthOf(printableLine(source))), 0)
  return [
    `  ${stretches.join('')}${style.dim(free.repeat(width - taken))}`,
    ...shares.map(
      ({ source, chars, count }, at) =>
        `  ${painted(at, markOf(at))} ${pad(printableLine(source), cells)}  ${counted(chars, 'character')}, ${counted(count, 'skill')}`,
    ),
  ]
}
