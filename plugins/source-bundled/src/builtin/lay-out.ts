import { pad, printableLine, widthOf } from '@skills/invocation/skill-tool/terminal-text'
import { wrap } from './wrap.js'
import type { View } from '@skills/core'

type Table = NonNullable<View['table']>

export interface LayOutOptions {
  /** Cells of a line. */
  readonly width: number
  /** Emphasise the title and the names of columns with control sequences of a terminal. */
  readonly colors: boolean
}

/** Cells between columns. */
const gap = 2
/** Least cells of a column with longer text, because words would be broken. */
const narrowest = 12

/**
 * Formats a view as lines of a terminal, each with a line end. No line is too wide, and no control sequence is kept.
 */
export function layOut({ title, text = [], table, notes = [] }: View, { width, colors }: LayOutOptions): string {
  const style = (code: number, line: string): string =>
    colors && line !== '' ? `\u001b[${code}m${line}\u001b[0m` : line
  const bold = (line: string): string => style(1, line)
  const dim = (line: string): string => style(2, line)
  const blocks = [
    wrap(printableLine(title), width).map(bold),
    ...text.map(one => paragraph(one, width)),
    ...(table === undefined ? [] : [tableLines(table, width, bold, dim)]),
    ...notes.map(one => paragraph(one, width)),
  ]
  return blocks
    .filter(lines => lines.some(line => line !== ''))
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')
}

/** Wraps a text. Line breaks of the author are kept. */
function paragraph(text: string, width: number): readonly string[] {
  return text.split(/\r\n|\r|\n/).flatMap(line => wrap(printableLine(line), width))
}

type Paint = (line: string) => string

function tableLines({ columns, rows }: Table, width: number, bold: Paint, dim: Paint): readonly string[] {
  const count = Math.max(columns.length, ...rows.map(row => row.length))
  const texts = [columns, ...rows].map(row => Array.from({ length: count }, (_, at) => printableLine(row[at] ?? '')))
  const [names = [], ...cells] = texts
  if (cells.length === 0) return []
  const widths = columnWidths(
    Array.from({ length: count }, (_, at) => Math.max(0, ...texts.map(row => widthOf(row[at] ?? '')))),
    width,
  )
  if (widths === undefined)
    return cells.flatMap((row, at) => [...(at === 0 ? [] : ['']), ...stacked(names, row, width, bold)])
  return [...rowLines(names, widths).map(dim), ...cells.flatMap(row => rowLines(row, widths))]
}

/**
 * Returns the width of each column so that all fit, shrinking the widest first. Undefined if they cannot be beside each
 * other.
 */
function columnWidths(wanted: readonly number[], width: number): readonly number[] | undefined {
  const widths = wanted.map(cells => Math.min(cells, width))
  for (let left = width - gap * (widths.length - 1) - sum(widths); left < 0; left++) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= narrowest) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Formats one row of a table. A cell that is longer than its column continues below. */
function rowLines(row: readonly string[], widths: readonly number[]): readonly string[] {
  const wrapped = row.map((cell, at) => wrap(cell, widths[at] ?? 0))
  const height = Math.max(...wrapped.map(lines => lines.length))
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, at) => pad(lines[line] ?? '', widths[at] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** Formats one row without columns: its first cell, and the others below it with the names of their columns. */
function stacked(
  names: readonly string[],
  [first = '', ...others]: readonly string[],
  width: number,
  bold: Paint,
): readonly string[] {
  const indent = width >= 20 ? '  ' : ''
  const below = others.flatMap((cell, at) =>
    cell === ''
      ? []
      : wrap(`${names[at + 1] ?? ''}: ${cell}`.replace(/^: /, ''), width - indent.length).map(line => indent + line),
  )
  return [...wrap(first, width).map(bold), ...below]
}
