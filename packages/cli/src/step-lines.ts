import { pad, widthOf } from './width.js'
import type { Output } from './io.js'
import type { Style } from './style.js'

/**
 * Command lines, and what each does: beside it, or below it where a terminal has no room for that. A command line is
 * never folded, so that it can be copied.
 */
export function stepLines(
  steps: readonly (readonly [command: string, text: string])[],
  style: Style,
  { isTerminal, columns }: Output,
): readonly string[] {
  const cells = Math.max(...steps.map(([command]) => widthOf(command)))
  const isWide = isTerminal && steps.some(([, text]) => cells + widthOf(text) + 4 > columns)
  return steps.flatMap(([command, text]) =>
    isWide ? [`  ${command}`, `      ${style.dim(text)}`] : [`  ${pad(command, cells)}  ${style.dim(text)}`],
  )
}
