import type { YamlEngine } from '../yaml/engine.js'
import { isRecord } from '../fields/field-values.js'
import { indentOf, trimLineEnd } from '../yaml/lines.js'
import { outline, type OutlineEntry } from '../yaml/outline.js'
import { findFlowEnd } from '../yaml/value-end.js'
import { quoteText } from '../yaml/quote.js'
import { holdsColon, isReserved } from '../yaml/line-shape.js'
import { fold, isAtMargin, isMarginComment, repairValue, type RepairCode } from './repair-value.js'

/** Change that made a block valid, with the place of the fault; positions count from 0 in the block. */
export interface Repair {
  readonly line: number
  readonly column: number
  readonly field: string | undefined
  readonly code: RepairCode
  readonly message: string
  readonly hint: string
}

export interface RepairedBlock {
  /** Lines of strict YAML, as far as they could be repaired. */
  readonly lines: readonly string[]
  /** 0-based original line of each of those lines. */
  readonly origins: readonly number[]
  readonly repairs: readonly Repair[]
}

/** Control characters that YAML does not allow. A value with one is not repaired and stays an error. */
// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/

/** Keys whose values are lists in every file. */
const lists = new Set(['allowed-tools', 'allowed_tools', 'tools', 'disallowed-tools', 'paths', 'requires', 'aliases'])

/** Most values that are tried on their own, which takes longest. No file written by hand has so many that need it. */
const maxTrials = 500

/**
 * Makes the lines of a block valid one by one. A key or item whose own lines are valid YAML stays as it is; the value
 * of any other becomes the text that was plainly meant. Skips the content of block scalars. Takes time in proportion to
 * the block.
 * @param source the block's lines without their ends
 */
export function repairBlock(source: readonly string[], engine: YamlEngine, aliasNodes: number): RepairedBlock {
  const repairs: Repair[] = []
  const input = source.map((line, index) => spaceTabs(line, index, repairs))
  const attempt = new Attempt(input, engine, aliasNodes)
  const lines: string[] = []
  const origins: number[] = []
  let next = 0
  const keepUntil = (end: number) => {
    for (; next < end; next++) {
      lines.push(input[next]!)
      origins.push(next)
    }
  }
  const entries = outline(input)
  entries.forEach((entry, index) => {
    // If several dashes and a key share a line, only the last one has a scalar.
    if (entries[index + 1]?.line === entry.line) return
    const repaired = attempt.repair(entry)
    if (repaired === undefined) return
    keepUntil(entry.line)
    repairs.push(...repaired.repairs)
    lines.push(repaired.line)
    origins.push(entry.line)
    next++
    if (repaired.whole) {
      for (; next <= entry.last; next++) {
        if (!isMarginComment(input[next]!, entry.column)) continue
        lines.push(input[next]!)
        origins.push(next)
      }
    }
  })
  keepUntil(input.length)
  return { lines, origins, repairs: repairs.sort((a, b) => a.line - b.line || a.column - b.column) }
}

function spaceTabs(line: string, index: number, repairs: Repair[]): string {
  let tabs = 0
  while (line.charCodeAt(tabs) === 9) tabs++
  if (tabs === 0 || tabs === line.length) return line
  repairs.push({
    line: index,
    column: 0,
    field: undefined,
    code: 'tab-indentation',
    message: 'The line is indented by a tab, which YAML does not allow.',
    hint: 'Indent it by spaces.',
  })
  return '  '.repeat(tabs) + line.slice(tabs)
}

interface RepairedEntry {
  readonly line: string
  /** True if the line replaces all lines of the entry, and not only its first. */
  readonly whole: boolean
  readonly repairs: readonly Repair[]
}

class Attempt {
  /** Anchors of the block, which a line with an alias needs when it is tried on its own. */
  private readonly anchors: ReadonlySet<string>
  private trials = 0

  constructor(
    private readonly lines: readonly string[],
    private readonly engine: YamlEngine,
    private readonly aliasNodes: number,
  ) {
    const anchors = lines.flatMap(line =>
      line.includes('&') ? [...line.matchAll(/(?<=[\s[{,]|^)&([^\s,[\]{}]+)/g)].map(match => match[1]!) : [],
    )
    this.anchors = new Set(anchors)
  }

  repair(entry: OutlineEntry): RepairedEntry | undefined {
    const first = this.lines[entry.line]!
    const key = this.repairKey(entry, first)
    const value = this.repairValue(entry, first)
    if (key === undefined && value === undefined) return undefined
    const written = value === undefined ? first.slice(entry.valueColumn) : value.written
    const line = `${this.leadOf(entry, first, value !== undefined)} ${written}`
    return {
      line: trimLineEnd(line),
      whole: value !== undefined,
      repairs: [...(key === undefined ? [] : [key]), ...(value === undefined ? [] : [value.repair])],
    }
  }

  /** Returns the text before the value, moved to the column where it belongs. A dash in front of a key stays. */
  private leadOf({ level, column, valueColumn, key }: OutlineEntry, first: string, hasText: boolean): string {
    const before = level === column ? first.slice(0, column) : ' '.repeat(level)
    // A merge key merges maps; with a text as its value, it is a key like any other.
    return (
      before +
      (hasText && key === '<<' ? "'<<':" : trimLineEnd(first.slice(column, valueColumn)).replace(/\uff1a$/, ':'))
    )
  }

  private repairKey(entry: OutlineEntry, first: string): Repair | undefined {
    const { fault, line, column, key } = entry
    if (fault === undefined) return undefined
    const shown = show(first.slice(column))
    const found =
      first.charAt(key.length) === '\uff1a'
        ? ({
            code: 'full-width-colon',
            message: `The colon of \`${key}\` is a full-width colon, which YAML does not read.`,
          } as const)
        : ({ code: 'glued-key', message: `There is no space after the colon of \`${key}\`.` } as const)
    return fault === 'glued'
      ? { line, column, field: key, ...found, hint: `Write \`${show(`${key}: ${first.slice(entry.valueColumn)}`)}\`.` }
      : {
          line,
          column,
          field: key,
          code: 'misindented-key',
          message: `\`${key}\` is indented more than the key before it.`,
          hint: `Write \`${shown}\` ${entry.level === 0 ? 'at the margin' : `after ${entry.level} spaces`}.`,
        }
  }

  private repairValue(
    entry: OutlineEntry,
    first: string,
  ): { readonly written: string; readonly repair: Repair } | undefined {
    const { line, last, valueColumn, style } = entry
    const value = first.slice(valueColumn)
    if (last === line && (value === '' || (style === 'plain' && isSurelyPlain(value)))) return undefined
    const lines = this.lines.slice(line, last + 1)
    const isBroken = isSurelyBroken(entry, lines)
    // Not repaired: if it is invalid, the file has an error.
    if (!isBroken && ++this.trials > maxTrials) return undefined
    const preface = isBroken ? [] : this.prefaceOf(lines)
    const outcome = isBroken
      ? undefined
      : this.engine.load(preface.join('') + this.alone(entry, lines), this.aliasNodes)
    if (outcome?.ok === true && outcome.deficientLines.length === 0) return undefined
    if (lines.some(text => control.test(text))) return undefined
    if (outcome?.ok === true && isRecord(outcome.value) && Object.keys(outcome.value).length === preface.length + 1) {
      const meant = Object.values(outcome.value).at(-1)
      const written = typeof meant === 'string' ? quoteText(meant) : fold([value, ...lines.slice(1)])
      return this.describe(
        entry,
        written,
        'continuation-at-margin',
        'continues without indentation, where YAML expects the next key',
      )
    }
    const { text, code, found } = repairValue(entry, this.lines)
    return this.isUnclosedList(entry, text, code)
      ? this.describe(entry, `${text}]`, code, found, 'as a list')
      : this.describe(entry, quoteText(text), code, found)
  }

  /** Returns true if a list of tools lacks only its last bracket. As quoted text, `[Bash` would name no tool. */
  private isUnclosedList({ key, level }: OutlineEntry, text: string, code: RepairCode): boolean {
    if (code !== 'unclosed-value' || level > 0 || !lists.has(key) || ++this.trials > maxTrials) return false
    const outcome = this.engine.load(`${text}]\n`, this.aliasNodes)
    return (
      outcome.ok &&
      outcome.deficientLines.length === 0 &&
      Array.isArray(outcome.value) &&
      outcome.value.every(item => typeof item === 'string')
    )
  }

  /** Defines only the anchors that the lines name: otherwise each trial would contain the text of all of them. */
  private prefaceOf(lines: readonly string[]): readonly string[] {
    if (this.anchors.size === 0) return []
    const named = new Set(
      lines.flatMap(line =>
        line.includes('*') ? [...line.matchAll(/\*([^\s,[\]{}]+)/g)].map(match => match[1]!) : [],
      ),
    )
    return [...named].filter(name => this.anchors.has(name)).map((name, index) => `"\\0${index}": &${name} {}\n`)
  }

  /** Returns the entry's lines as a document of their own. */
  private alone(entry: OutlineEntry, [first = '', ...rest]: readonly string[]): string {
    const lead = entry.fault === 'glued' ? `${entry.key}: ${first.slice(entry.valueColumn)}` : first.slice(entry.column)
    const moved = rest.map(line => line.slice(Math.min(entry.column, indentOf(line))))
    // An item becomes a list below a key, where the anchors are defined too.
    return entry.kind === 'item' ? ['item:', lead, ...moved, ''].join('\n') : [lead, ...moved, ''].join('\n')
  }

  private describe(
    entry: OutlineEntry,
    written: string,
    code: RepairCode,
    found: string,
    reading = 'as text',
  ): { readonly written: string; readonly repair: Repair } {
    const { line, last, column, valueColumn, key } = entry
    const field = key === '' ? entry.path.findLast(part => typeof part === 'string') : key
    let at = line
    if (code === 'continuation-at-margin') {
      while (at < last && (at === line || !isAtMargin(this.lines[at]!, column))) at++
    }
    const subject = key === '' ? `An entry of \`${field ?? ''}\`` : `The value of \`${key}\``
    const better = `${key === '' ? '-' : `${key}:`} ${written}`
    return {
      written,
      repair: {
        line: at,
        column: at === line ? valueColumn : 0,
        field,
        code,
        message: `${subject} ${found}; it is read ${reading}.`,
        hint: better.length <= 120 ? `Write \`${better}\`.` : 'Put the whole value in quotes, on one line.',
      },
    }
  }
}

/**
 * Returns true if a value needs no trial: it begins with a letter or a digit, and has no character that ends a plain
 * value.
 */
function isSurelyPlain(value: string): boolean {
  return /^[A-Za-z0-9]/.test(value) && !/[:#\t]/.test(value) && !control.test(value)
}

/**
 * Returns true if a trial would certainly fail. A trial takes far longer than this check, and a hostile file has
 * thousands of such lines.
 */
function isSurelyBroken({ style, valueColumn }: OutlineEntry, lines: readonly string[]): boolean {
  const value = lines[0]!.slice(valueColumn)
  if (style === 'flow') return findFlowEnd(lines, 0, valueColumn, lines.length) === undefined
  if (style === 'other') return isReserved(value)
  return style === 'plain' && lines.length === 1 && holdsColon(value)
}

function show(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
