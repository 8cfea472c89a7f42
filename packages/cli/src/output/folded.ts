import { widthOf } from './width.js'
import type { Io, Output } from '../io.js'

/** Start of a line of quoted text. Such lines are not folded, so that people see exactly what they agree to. */
export const bar = '    | '

/**
 * Folds running text for a terminal: a long line continues at the start of a word, below the text of its column. It
 * does not fold words that are too long, a command line at the end, which people copy, or quoted lines. A pipe or file
 * gets the text unchanged.
 * @param io its `program` is the start of a command line
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
 * Returns an output that folds everything written to it. Each write must end with whole lines or be shorter than a
 * line.
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
    // A line that is rewritten, such as progress, fits already.
    write: text => output.write(text[0] === '\r' ? text : folded(text, output, io)),
  }
}

/** Text before the second column. A finding also has its severity there. */
// oxlint-disable-next-line no-control-regex -- it may be painted
const firstColumn = /^ *\S+(?: \S+)* {2,}(?=(?:\u001b\[\d+m)*(error|warning|advice)(?:\u001b\[\d+m)* {2}|\S)/

function foldedLine(line: string, columns: number, command: string): string {
  if (widthOf(line) <= columns || line.startsWith(bar)) return line
  // An error also begins with the program's name, so the search starts after it.
  const at = line.indexOf(command, 'skills:'.length) + 2
  if (at > 1) return `${foldedLine(line.slice(0, at).trimEnd(), columns, command)}\n  ${line.slice(at)}`
  // oxlint-disable-next-line no-control-regex -- a colour may begin before the margin
  const bare = line.replace(/^(?:\u001b\[\d+m)+/, '')
  // Lines continue below the second column of a table if there is room, otherwise slightly further in than the line
  // itself. Findings have places of different lengths, so each continues further in than its hint.
  const [first = '', severity] = firstColumn.exec(bare) ?? []
  const before = widthOf(first)
  const margin = widthOf(/^ */.exec(bare)?.[0] ?? '')
  const isTable = severity === undefined && before > 0 && before <= columns / 2
  const indent = isTable ? before : severity !== undefined ? margin + 4 : margin > 0 ? margin + 2 : 0
  const lines: string[] = []
  let [current, room] = ['', columns]
  // The spaces before a word belong to it, so columns keep their places. A mark stays with what it marks.
  for (const word of line.match(/ *(?:[●○] )?[^ ]+| +$/g) ?? []) {
    if (current.trim() === '' || widthOf(current) + widthOf(word) <= room) current += word
    else {
      lines.push(current)
      current = ' '.repeat(indent) + word.trimStart()
      room = columns
    }
  }
  return [...lines, current].join('\n')
}
