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
  const [key] = keyPath
  return (keyPath.length === 1 && typeof key === 'string' ? locateAtMargin(text, key) : undefined) ?? locateInOutline(text, keyPath)
}

let shapes: { readonly keyLine: RegExp; readonly otherLine: RegExp } | undefined

/** `keyLine` is a line at the margin of a block that is a key, `otherLine` one that stands further in, or holds no key. Made on use. */
function lineShapes(): NonNullable<typeof shapes> {
  // What may stand behind a colon and surely ends with its line.
  const value = String.raw`(?: +(?:[A-Za-z0-9][^\n]*|"[^"\\]*"|'[^']*'|\[(?:[^\]"'\\]|"[^"\\]*")*\]|[|>][-+]?))?`
  return shapes ??= {
    keyLine: new RegExp(String.raw`^[A-Za-z_][\w.-]*:${value}$`),
    otherLine: new RegExp(String.raw`^(?: +(?:- )?[\w.-]+:${value}| +(?:- )?(?:[A-Za-z0-9-][^:\n]*|"[^"\\]*")|#.*| *)$`),
  }
}

/** What stands behind a colon where the value is on lines further in. */
const opensLines = /^(?:[|>][-+]?)?$/

/**
 * Where a key at the margin stands, in a block that is written as most are up to there: without taking the whole of it apart.
 * Undefined when it is not sure.
 */
export function locateAtMargin(text: string, key: string): KeyPlace | undefined {
  const { keyLine, otherLine } = lineShapes()
  let number = 1
  /** Whether the last key at the margin has a value of its own, so that lines further in only go on with it. */
  let hasValue = false
  for (let start = text.startsWith('---\n') ? 4 : -1, end = 0; start > 0; start = end + 1) {
    number++
    end = text.indexOf('\n', start)
    const line = text.slice(start, end)
    // A carriage return by itself ends a line too.
    if (end === -1 || line === '---' || line.includes('\r')) return undefined
    const colon = line.indexOf(':')
    const given = line.slice(colon + 1).replace(/^[ \t]+/, '')
    if (colon === key.length && line.startsWith(key) && /^ |^$/.test(line.slice(colon + 1))) {
      // Of two the last one counts, and some block has to end.
      const close = text.indexOf('\n---', end)
      const again = text.indexOf(key, end)
      if (close === -1 || !/^\n|^$/.test(text.slice(close + 4, close + 5)) || (again !== -1 && again < close)) return undefined
      return { line: number, column: 1, ...given !== '' && { valueColumn: line.length - given.length + 1 } }
    }
    if (keyLine.test(line)) hasValue = !opensLines.test(given)
    else if (!otherLine.test(line) || (hasValue && colon !== -1)) return undefined
  }
  return undefined
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
