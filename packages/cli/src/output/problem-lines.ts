import { countsOf } from './problems.js'
import { findingLines } from './findings.js'
import type { Diagnostic } from '@skills/core'
import type { Style } from './style.js'

/** Most problems that are shown in full; the others are counted. */
const mostProblems = 5

/** Returns the number of problems and the first of them, and names `all`, the command that shows the others. */
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
