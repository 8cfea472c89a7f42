import type { Diagnostic } from '@skills/core'
import { takeApart } from './document.js'
import type { FieldProblem } from '../fields/field-types.js'
import { outline, type OutlineEntry } from '../yaml/outline.js'

/** Place of a key in a file; all numbers count from 1. */
export interface KeyPlace {
  readonly line: number
  /** In UTF-16 code units. */
  readonly column: number
  /** Column of the value if it begins on the same line. */
  readonly valueColumn?: number
}

/**
 * Finds a key in a file's text, for a diagnostic that needs its place. For something inside brackets or below an alias,
 * returns the nearest key around it; for a key given twice, the last one.
 * @param text the whole file
 * @param keyPath path from the top, such as `['metadata', 'author']` or `['allowed-tools', 2]`
 * @returns undefined if the file has no such key
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

/** Problems of a key itself, not of its value. */
const aboutKeys: readonly FieldProblem['code'][] = ['misspelt-field', 'field-given-twice', 'standard-unknown-key']

/**
 * Returns the place of a field's problem in a file's text: the value, or the key if that is the problem or has no
 * value. Empty if the file has no such key. Lines and columns count from 1.
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
 * Converts a field's problem to a diagnostic.
 * @param text the whole file, if known: the diagnostic then has a line and a column
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
