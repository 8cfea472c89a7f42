import { shownName } from '@skills/core'
import { folded } from './folded.js'
import { printableLine } from './printable.js'
import { pad, widthOf } from './width.js'
import type { Io, Output } from '../io.js'
import type { Style } from './style.js'

/**
 * Returns command lines with their descriptions beside them, or below them if the terminal is too narrow. Command lines
 * are never folded, so that people can copy them.
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

/**
 * Returns the next steps to print after new files.
 * @param edit first step, as a sentence
 */
export function nextLines(
  name: string,
  edit: string,
  steps: Parameters<typeof stepLines>[0],
  style: Style,
  io: Io,
): readonly string[] {
  const { stdout } = io
  const lines = stepLines(
    steps.map(([command, text]) => [printableLine(command), text]),
    style,
    stdout,
  )
  return ['', style.bold(`Next for ${shownName(name)}`), folded(`  ${edit}`, stdout, io), ...lines, '']
}
