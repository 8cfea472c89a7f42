import type { Diagnostic } from '@skills/core'
import { takeApart } from './document.js'
import { isFlat } from '../flat/read-flat.js'
import type { FieldProblem } from '../fields/field-types.js'
import { outline, type OutlineEntry } from '../yaml/outline.js'

/** Where a key stands in a file, all numbers from 1. */
export interface KeyPlace {
  readonly line: number
  /** In UTF-16 code units. */
  readonly column: number
  /** Column of the value, when it begins on the same line. */
  readonly valueColumn?: number
}

/**
 * Where a key stands in a file's text, for a diagnostic that turns out to need it.
 * Of something inside brackets or below an alias it is the nearest key around it; of a key given twice, the last.
 * @param text the whole file
 * @param keyPath from the top, such as `['metadata', 'author']` or `['allowed-tools', 2]`
 * @returns undefined when the file has no such key
 */
export function locateKey(text: string, keyPath: readonly (string | number)[]): KeyPlace | undefined {
  const [key] = keyPath
  return (keyPath.length === 1 && typeof key === 'string' ? locateAtMargin(text, key) : undefined) ?? locateInOutline(text, keyPath)
}

/**
 * Where a key at the margin stands, in a block that the flat path reads: nothing else in it begins a line with a key and a colon.
 * Undefined when it is no such block, or has no such key.
 */
export function locateAtMargin(text: string, key: string): KeyPlace | undefined {
  if (!/^---\r?\n/.test(text)) return undefined
  const close = text.indexOf('\n---')
  const block = text.slice(text.indexOf('\n') + 1, close + 1)
  if (close === -1 || !/^\r?\n|^$/.test(text.slice(close + 4, close + 6)) || !isFlat(block)) return undefined
  const at = text.indexOf(`\n${key}:`) + 1
  if (at === 0 || at > close) return undefined
  const behind = at + key.length + 1
  const value = text.slice(behind, text.indexOf('\n', behind)).search(/[^ \r]/)
  return { line: countLines(text, at), column: 1, ...value !== -1 && { valueColumn: behind - at + value + 1 } }
}

/** The 1-based line that begins at a place. */
function countLines(text: string, end: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** The same for any key of any block. */
export function locateInOutline(text: string, keyPath: readonly (string | number)[]): KeyPlace | undefined {
  const { located, lines } = takeApart(text)
  if (located.kind !== 'block') return undefined
  const texts = lines.map((line) => line.text)
  const entries = outline(texts)
  for (let length = keyPath.length; length > 0; length--) {
    const entry = entries.findLast((candidate) => isPath(candidate, keyPath, length))
    if (entry === undefined) continue
    const place = { line: located.fenceLine + 1 + entry.line, column: entry.column + 1 }
    return entry.valueColumn < texts[entry.line]!.length ? { ...place, valueColumn: entry.valueColumn + 1 } : place
  }
  return undefined
}

/** What is wrong with a key rather than with its value. */
const aboutKeys: readonly FieldProblem['code'][] = ['misspelt-field', 'field-given-twice', 'standard-unknown-key']

/**
 * Where a field's problem stands in a file's text: at the value, or at the key where that is what is wrong or has nothing behind it.
 * Empty when the file has no such key. Lines and columns count from 1.
 */
export function placeOfProblem(text: string, { code, keyPath }: Pick<FieldProblem, 'keyPath'> & { readonly code: string }): Pick<Diagnostic, 'line' | 'column'> {
  const place = locateKey(text, keyPath)
  if (place === undefined) return {}
  const isAboutKey = aboutKeys.some(one => one === code)
  return { line: place.line, column: isAboutKey ? place.column : place.valueColumn ?? place.column }
}

/**
 * A field's problem as a diagnostic.
 * @param text the whole file, when it is at hand: the diagnostic then has a line and a column
 */
export function describeProblem(problem: FieldProblem, text?: string): Diagnostic {
  const { severity, code, field, message, hint } = problem
  return {
    severity,
    type: 'validation',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(text === undefined ? {} : placeOfProblem(text, problem)),
    field,
  }
}

function isPath(entry: OutlineEntry, keyPath: readonly (string | number)[], length: number): boolean {
  return entry.path.length === length && entry.path.every((part, index) => part === keyPath[index])
}
