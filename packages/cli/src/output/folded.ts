import { widthOf } from './width.js'
import type { Io, Output } from '../io.js'

/** Begins a line of a quoted text: to the letter, so that it is seen what is agreed to. */
export const bar = '    | '

/**
 * Running text as a terminal shows it: lines that are too long go on at a word's beginning, below the text of their
 * column. A word that is too long stays whole, and so do a command line at the end, which is copied, a quoted line of a
 * text of others, and all that goes to a pipe or a file.
 * @param io its program is how a command line begins
 */
export function folded(
  text: string,
  { isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>,
  { program }: Pick<Io, 'program'>,
): string {
  return isTerminal
    ? text
        .split('\n')
        .map(line => foldedLine(line, columns, `: ${program} `))
        .join('\n')
    : text
}

/**
 * The same output, with all that is written to it folded. What is written at once ends with whole lines, or is shorter
 * than one.
 */
export function foldedOutput(output: Output, io: Pick<Io, 'program'>): Output {
  return {
    isTerminal: output.isTerminal,
    get columns() {
      return output.columns
    },
    get isClosed() {
      return output.isClosed
    },
    // A line that is written over and over has its width already.
    write: text => output.write(text[0] === '\r' ? text : folded(text, output, io)),
  }
}

/** Up to the second column, with what a finding has there. */
// oxlint-disable-next-line no-control-regex -- it may be painted
const firstColumn = /^ *\S+(?: \S+)* {2,}(?=(?:\u001b\[\d+m)*(error|warning|advice)(?:\u001b\[\d+m)* {2}|\S)/

function foldedLine(line: string, columns: number, command: string): string {
  if (widthOf(line) <= columns || line.startsWith(bar)) return line
  // What begins an error is the program's name too.
  const at = line.indexOf(command, 'skills:'.length) + 2
  if (at > 1) return `${foldedLine(line.slice(0, at).trimEnd(), columns, command)}\n  ${line.slice(at)}`
  // oxlint-disable-next-line no-control-regex -- a colour may begin before the margin
  const bare = line.replace(/^(?:\u001b\[\d+m)+/, '')
  // Below the second column of a table, if that leaves room, else a little further in than a line that is itself
  // further in. Of findings, whose places differ in length, each goes on further in than its hint.
  const [first = '', severity] = firstColumn.exec(bare) ?? []
  const before = widthOf(first)
  const margin = widthOf(/^ */.exec(bare)?.[0] ?? '')
  const isTable = severity === undefined && before > 0 && before <= columns / 2
  const indent = isTable ? before : severity !== undefined ? margin + 4 : margin > 0 ? margin + 2 : 0
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
