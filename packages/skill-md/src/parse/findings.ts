import type { Diagnostic } from '@skills/core'
import { fieldOf } from '@skills/core/fields'
import type { YamlSuccess } from '../yaml/engine.js'
import { outline } from '../yaml/outline.js'
import { parseWarning } from './problems.js'

type FileLine = (line: number) => number

/** Returns a warning for each key that occurs twice in a map; the last value is used. */
export function describeDuplicates(
  { duplicate }: YamlSuccess,
  lines: readonly string[],
  fileLine: FileLine,
): Diagnostic[] {
  if (duplicate === undefined) return []
  const seen = new Map<string, number>()
  const warnings: Diagnostic[] = []
  for (const entry of outline(lines)) {
    if (entry.kind === 'item') continue
    const path = JSON.stringify(entry.path)
    const before = seen.get(path)
    seen.set(path, entry.line)
    if (before === undefined) continue
    warnings.push(
      parseWarning(
        { line: fileLine(entry.line), column: entry.column + 1 },
        {
          code: 'duplicate-key',
          message: `\`${entry.key}\` is given again; the value on line ${fileLine(before)} is not used.`,
          hint: 'Keep only one of the two.',
          field: entry.key,
        },
      ),
    )
  }
  if (warnings.length > 0) return warnings
  // In a map in braces the lines do not show the keys.
  return [
    parseWarning(
      { line: fileLine(duplicate.line), column: duplicate.column + 1 },
      {
        code: 'duplicate-key',
        message: 'A key is given twice; its first value is not used.',
        hint: 'Keep only one of the two.',
      },
    ),
  ]
}

/** Returns a warning for every key that was dropped because it would reach a prototype. */
export function describeDropped(
  dropped: readonly (readonly (string | number)[])[],
  lines: readonly string[],
  fileLine: FileLine,
): Diagnostic[] {
  if (dropped.length === 0) return []
  const entries = new Map(outline(lines).map(entry => [JSON.stringify(entry.path), entry]))
  return dropped.map(path => {
    const entry = entries.get(JSON.stringify(path))
    const key = String(path.at(-1))
    return parseWarning(
      entry === undefined ? { line: fileLine(0) } : { line: fileLine(entry.line), column: entry.column + 1 },
      {
        code: 'unsafe-key',
        message: `\`${key}\` is not accepted as a key; the key was dropped.`,
        hint: 'Use another name.',
        field: key,
      },
    )
  })
}

/**
 * Returns a warning for a text with ` #` and no space after it, as in `Fixes issue #12`: it is valid YAML, but the rest
 * is a comment.
 */
export function findCutComments(lines: readonly string[], fileLine: FileLine): Diagnostic[] {
  if (!lines.some(line => line.includes(' #'))) return []
  const warnings: Diagnostic[] = []
  for (const entry of outline(lines)) {
    if (entry.style !== 'plain' || entry.path.length !== 1 || fieldOf(entry.key)?.mayHoldSigns !== true) continue
    const value = lines[entry.line]!.slice(entry.valueColumn)
    // The first one starts the comment, and any later one is part of it.
    const column = value.indexOf(' #')
    if (column === -1 || !/^ #[^\s#]/.test(value.slice(column))) continue
    warnings.push(
      parseWarning(
        { line: fileLine(entry.line), column: entry.valueColumn + column + 2 },
        {
          code: 'comment-in-value',
          message: `The text after \` #\` in the value of \`${entry.key}\` is not read: YAML takes it for a comment.`,
          hint: 'Put the whole value in quotes.',
          field: entry.key,
        },
      ),
    )
  }
  return warnings
}
