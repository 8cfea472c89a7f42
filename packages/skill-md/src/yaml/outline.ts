import { fieldOf } from '@skills/core/fields'
import { isBlankLine, indentOf } from './lines.js'
import { gluedKeyAt, isKnownKey, shapeAt, skipBlanks, styleAt, type LineShape, type ValueStyle } from './line-shape.js'
import { findFlowEnd, findQuoteEnd, lastLineWith } from './value-end.js'

/** Key or list item, with the lines of its own scalar. Nested keys and items have entries of their own. */
export interface OutlineEntry {
  readonly kind: 'pair' | 'item'
  /** 0-based line of the key or the dash. */
  readonly line: number
  /** 0-based last line of the scalar; the same as `line` if it has at most one line. */
  readonly last: number
  /** 0-based column of the key or the dash. */
  readonly column: number
  /** Column at which it belongs; differs from `column` only if it is misindented. */
  readonly level: number
  /** Key without its quotes; empty for an item. */
  readonly key: string
  /** 0-based column after the colon or the dash and white space; the line's length if nothing follows. */
  readonly valueColumn: number
  readonly style: ValueStyle
  readonly path: readonly (string | number)[]
  /**
   * Reason why YAML does not accept an obvious key: it is glued to its value, or indented further than its siblings.
   */
  readonly fault?: 'glued' | 'misindented'
}

type Draft = { -readonly [K in keyof OutlineEntry]: OutlineEntry[K] }
type Shape = NonNullable<LineShape>

interface Container {
  readonly column: number
  readonly list: boolean
  readonly path: readonly (string | number)[]
  next: number
}

/** Most dashes in front of one value that are followed. */
const maxDashes = 32

/**
 * Lists the keys and items of a block with their lines, without a YAML parser. Understands broken blocks, and finds
 * places in valid ones. Takes time in proportion to the text.
 * @param lines the block's lines without their ends
 */
export function outline(lines: readonly string[]): OutlineEntry[] {
  return new Outliner(lines).run()
}

/**
 * Returns true if a dash at this column can only be part of the text of the entry before, because no list can follow a
 * key that already has a text. In a field that is not prose it may begin a list of its own.
 */
function isText({ kind, style, column: own, path, key }: OutlineEntry, column: number): boolean {
  return (
    kind === 'pair' &&
    (style === 'plain' || style === 'block') &&
    own === column &&
    path.length === 1 &&
    fieldOf(key)?.isProse === true
  )
}

class Outliner {
  private readonly entries: Draft[] = []
  private readonly containers: Container[] = []
  private readonly lastDouble: number
  private readonly lastSingle: number
  /** Lines that searches for a closing bracket may still examine without finding one. */
  private budget = 20_000

  constructor(private readonly lines: readonly string[]) {
    this.lastDouble = lastLineWith(lines, '"')
    this.lastSingle = lastLineWith(lines, "'")
  }

  run(): OutlineEntry[] {
    for (let index = 0; index < this.lines.length;) {
      const line = this.lines[index]!
      const column = indentOf(line)
      if (column === line.length || line.charCodeAt(column) === 35) index++
      else index = this.readLine(index, line, column)
    }
    return this.entries
  }

  /** Reads the entry that begins on a line, or adds the line to the entry before. Returns the next line to read. */
  private readLine(index: number, line: string, column: number): number {
    const before = this.entries.at(-1)
    const glued = column === 0 ? gluedKeyAt(line) : undefined
    let shape = glued ?? shapeAt(line, column)
    if (before !== undefined && shape?.kind === 'item' && isText(before, column)) {
      before.last = this.lastDeeper(index, column, true)
      return before.last + 1
    }
    if (shape === undefined || (before !== undefined && this.goesOnAtMargin(before, index, column, shape))) {
      if (before === undefined) return index + 1
      // The line is the text of a key without a value on its own line, or it stands at the margin and continues the
      // entry before.
      before.last =
        before.style === 'none' && column > before.column ? this.lastDeeper(index, before.column, true) : index
      return before.last + 1
    }
    const misindented =
      before !== undefined && before.style !== 'none' && column > before.column && shape.kind === 'pair'
    let at = column
    let entry = this.add(index, at, shape, line, misindented ? before.column : at)
    if (glued !== undefined) entry.fault = 'glued'
    else if (misindented) entry.fault = 'misindented'
    for (let dashes = 1; shape.kind === 'item' && dashes < maxDashes && entry.valueColumn < line.length; dashes++) {
      const inner: LineShape = shapeAt(line, entry.valueColumn)
      if (inner === undefined) break
      shape = inner
      at = entry.valueColumn
      entry.style = 'none'
      entry = this.add(index, at, shape, line, at)
    }
    entry.last = this.findLastLine(entry)
    return entry.last + 1
  }

  /** Returns true if a line at the margin continues prose, even if it looks like a key of several words. */
  private goesOnAtMargin(before: OutlineEntry, index: number, column: number, shape: Shape): boolean {
    if (
      shape.kind === 'item' ||
      shape.simple ||
      column > before.column ||
      before.last !== index - 1 ||
      before.last === before.line
    )
      return false
    const previous = this.lines[index - 1]!
    return !isBlankLine(previous) && indentOf(previous) <= before.column
  }

  private add(line: number, column: number, shape: Shape, text: string, level: number): Draft {
    const { containers, entries } = this
    const list = shape.kind === 'item'
    let top = containers.at(-1)
    while (top !== undefined && (top.column > level || (top.column === level && top.list && !list))) {
      containers.pop()
      top = containers.at(-1)
    }
    // A list may have the same indentation as the key it belongs to.
    if (top === undefined || top.column < level || top.list !== list) {
      top = { column: level, list, path: top === undefined ? [] : (entries.at(-1)?.path ?? []), next: 0 }
      containers.push(top)
    }
    const valueColumn = skipBlanks(text, shape.after)
    const entry: Draft = {
      kind: shape.kind,
      line,
      last: line,
      column,
      level,
      key: shape.kind === 'pair' ? shape.key : '',
      valueColumn,
      style: styleAt(text, valueColumn),
      path: [...top.path, shape.kind === 'pair' ? shape.key : top.next],
    }
    top.next++
    entries.push(entry)
    return entry
  }

  /**
   * Returns the last line of the scalar that begins on an entry's line. Deeper lines than the key or the dash belong to
   * it.
   */
  private findLastLine(entry: OutlineEntry): number {
    const { line, column, style, valueColumn } = entry
    switch (style) {
      case 'none':
        return line
      case 'block':
        return this.lastDeeper(line, column)
      case 'double':
      case 'single': {
        const start = this.lines[line]!.indexOf(style === 'double' ? '"' : "'", valueColumn)
        return this.lastDeeper(this.findQuotedLine(entry, start), column, true)
      }
      case 'flow': {
        const end = findFlowEnd(this.lines, line, valueColumn, this.budget)
        if (end === undefined) this.budget -= this.lines.length - line
        // A bracket further down does not close one that was forgotten here.
        const closed = end !== undefined && !this.hasKeyBetween(line + 1, end.line, column)
        return this.lastDeeper(closed ? end.line : line, column, true)
      }
      default:
        return this.lastDeeper(line, column, true)
    }
  }

  /**
   * Returns the line on which a quoted scalar ends. It may continue at the margin, but not past a line that is plainly
   * another key.
   */
  private findQuotedLine(entry: OutlineEntry, start: number): number {
    const { line, column, style } = entry
    if (findQuoteEnd(this.lines[line]!, start) !== -1) return line
    const lastQuote = style === 'double' ? this.lastDouble : this.lastSingle
    for (let at = line + 1; at <= lastQuote; at++) {
      if (this.hasKeyBetween(at, at, column)) return line
      if (findQuoteEnd(this.lines[at]!, -1, style === 'double' ? 34 : 39) !== -1) return at
    }
    return line
  }

  private hasKeyBetween(from: number, to: number, column: number): boolean {
    for (let at = from; at <= to; at++) {
      const text = this.lines[at]!
      const own = indentOf(text)
      if (own > column || own === text.length) continue
      const shape = shapeAt(text, own)
      if (shape !== undefined && (shape.kind === 'item' || shape.simple)) return true
    }
    return false
  }

  /**
   * Returns the last of the lines after `from` that are deeper than a column.
   * @param scalar true for the lines of a text that is not a block: comments may follow it, and known keys never belong
   *   to it
   */
  private lastDeeper(from: number, column: number, scalar = false): number {
    let last = from
    for (let at = from + 1; at < this.lines.length; at++) {
      const text = this.lines[at]!
      if (isBlankLine(text)) continue
      const own = indentOf(text)
      if (own <= column || (scalar && isKnownKey(text, own))) break
      if (!scalar || text.charCodeAt(own) !== 35) last = at
    }
    return last
  }
}
