import { printableLine } from './printable.js'
import { sizeText } from './size-text.js'
import { cut, widthOf } from './width.js'
import type { Progress } from '@skills/install/internal'

/** Cells of a bar. With fewer than `narrowest` cells there is no bar. */
const widest = 30
const narrowest = 8

/**
 * Returns progress on one line: a bar, the amounts, and what is in progress. A longer line is cut at its end.
 * @param columns cells of the terminal; the last one stays free, because some terminals would start another line
 */
export function barText(
  { what, done, total, unit = 'bytes' }: Omit<Progress, 'unit'> & { readonly unit?: string },
  columns: number,
): string {
  const cells = Math.max(1, columns - 1)
  const text = `${printableLine(what)} …`
  if (done === undefined) return cut(text, cells)
  const amount = (count: number): string => (unit === 'bytes' ? sizeText(count) : count.toLocaleString('en'))
  const whole = total === undefined ? '' : ` of ${amount(total)}`
  const count = `${amount(done)}${whole}${unit === 'bytes' ? '' : ` ${unit}`}`
  const width = Math.min(widest, cells - widthOf(count) - 2)
  const full = Math.round(Math.min(1, done / (total ?? 0)) * width)
  if (total === undefined || total <= 0 || width < narrowest) return cut(`${count}  ${text}`, cells)
  return cut(`${'█'.repeat(full)}${'·'.repeat(width - full)}  ${count}  ${text}`, cells)
}
