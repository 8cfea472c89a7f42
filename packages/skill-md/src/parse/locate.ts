import type { Diagnostic } from '@skills/core'
import { takeApart } from './document.js'
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
  const { located, lines } = takeApart(text)
  if (located.kind !== 'block') return undefined
  const texts = lines.map(line => line.text)
  const entries = outline(texts)
  for (let length = keyPath.length; length > 0; length--) {
    const entry = entries.findLast(candidate => isPath(candidate, keyPath, length))
    if (entry === undefined) continue
    const place = { line: located.fenceLine + 1 + entry.line, column: entry.column + 1 }
    return entry.valueColumn < texts[entry.line]!.length ? { ...place, valueColumn: entry.valueColumn + 1 } : place
  }
  return undefined
}

/** What is wrong with a key rather than with its value. */
const aboutKeys: readonly FieldProblem['code'][] = ['misspelt-field', 'field-given-twice', 'standard-unknown-key']

/**
 * Where a field's problem stands in a file's text: at the value, or at the key where that is what is wrong or has
 * nothing behind it. Empty when the file has no such key. Lines and columns count from 1.
 */
export function placeOfProblem(
  text: string,
  { code, keyPath }: Pick<FieldProblem, 'keyPath'> & { readonly code: string },
): Pick<Diagnostic, 'line' | 'column'> {
  const place = locateKey(text, keyPath)
  if (place === undefined) return {}
  const isAboutKey = aboutKeys.some(one => one === code)
  return { line: place.line, column: isAboutKey ? place.column : (place.valueColumn ?? place.column) }
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
