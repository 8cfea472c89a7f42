/** Line of a text, with its end apart. */
export interface Line {
  readonly text: string
  readonly end: '\n' | '\r\n' | '\r' | ''
}

/**
 * Splits at line feeds, carriage returns and pairs of them. A line end at the end of the text does not add an empty
 * line.
 */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  const breaks = /\r\n|\n|\r/g
  let start = 0
  for (let match = breaks.exec(text); match !== null; match = breaks.exec(text)) {
    const end = match[0]
    lines.push({ text: text.slice(start, match.index), end: end === '\r\n' ? '\r\n' : end === '\r' ? '\r' : '\n' })
    start = match.index + end.length
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: '' })
  return lines
}

/** Returns the number of spaces and tabs that a line begins with. */
export function indentOf(line: string): number {
  let at = 0
  while (at < line.length && isBlank(line.charCodeAt(at))) at++
  return at
}

/** Returns true for a space or a tab, which is YAML's white space, unlike `\s` and `trim`. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

export function isBlankLine(line: string): boolean {
  return indentOf(line) === line.length
}

/** Removes the spaces and tabs at the end of a line. */
export function trimLineEnd(line: string): string {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(0, end)
}

/** Removes the spaces and tabs at both ends of a line. */
export function trimLine(line: string): string {
  return trimLineEnd(line.slice(indentOf(line)))
}
