import { widthOf } from './width.js'
import type { Io, Output } from './io.js'

/**
 * Running text as a terminal shows it: lines that are too long go on at a word's beginning, below the text of their column. A word that is too
 * long stays whole, and so does a command line at the end, which is copied; and all of what is no terminal's.
 * @param io its program is how a command line begins
 */
export function folded(text: string, { isTerminal, columns }: Output, { program }: Pick<Io, 'program'>): string {
  return isTerminal ? text.split('\n').map(line => foldedLine(line, columns, `: ${program} `)).join('\n') : text
}

function foldedLine(line: string, columns: number, command: string): string {
  if (widthOf(line) <= columns) return line
  const at = line.indexOf(command) + 2
  if (at > 1) return `${foldedLine(line.slice(0, at).trimEnd(), columns, command)}\n  ${line.slice(at)}`
  // Below the second column of a table, if that leaves room, else a little further in than a line that is itself further in.
  const before = widthOf(/^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0] ?? '')
  const margin = widthOf(/^ */.exec(line)?.[0] ?? '')
  const indent = before > 0 && before <= columns / 2 ? before : margin > 0 ? margin + 2 : 0
  const lines: string[] = []
  let [current, room] = ['', columns]
  // The spaces before a word are its own: columns stay where they are.
  for (const word of line.match(/ *[^ ]+| +$/g) ?? []) {
    if (current.trim() === '' || widthOf(current) + widthOf(word) <= room) current += word
    else {
      lines.push(current)
      current = ' '.repeat(indent) + word.trimStart()
      room = columns
    }
  }
  return [...lines, current].join('\n')
}
