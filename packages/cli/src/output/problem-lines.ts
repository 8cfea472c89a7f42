import { countsOf } from './problems.js'
import { findingLines } from './findings.js'
import type { Diagnostic } from '@skills/core'
import type { Style } from './style.js'

/** Problems that are shown in full; the others are counted. */
const mostProblems = 5

/** How many problems there are, and the first of them; the others are where `all` shows them. */
export function problemLines(found: readonly Diagnostic[], all: string, cwd: string, style: Style): readonly string[] {
  if (found.length === 0) return []
  const more = found.length - mostProblems
  return [
    style.bold(countsOf(found)),
    ...found
      .slice(0, mostProblems)
      .flatMap(one => findingLines(one, cwd, style))
      .map(line => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more: ${all}`] : []),
  ]
}
