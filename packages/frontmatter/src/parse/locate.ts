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

/**
 * A field's problem as a diagnostic.
 * @param text the whole file, when it is at hand: the diagnostic then has the line and column of the value
 */
export function describeProblem(problem: FieldProblem, text?: string): Diagnostic {
  const { severity, code, field, message, hint, keyPath } = problem
  const place = text === undefined ? undefined : locateKey(text, keyPath)
  return {
    severity,
    type: 'validation',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { line: place.line, column: place.valueColumn ?? place.column }),
    field,
  }
}

function isPath(entry: OutlineEntry, keyPath: readonly (string | number)[], length: number): boolean {
  return entry.path.length === length && entry.path.every((part, index) => part === keyPath[index])
}
