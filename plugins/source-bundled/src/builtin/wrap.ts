import { widthOf } from '@skills/invocation/skill-tool/terminal-text'

/**
 * Breaks a text into lines of at most `width` cells. Lines are broken between words, and inside a word that is longer
 * than a line. A line is wider only if a single character is wider.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = widthOf(word) <= width ? [word] : broken(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

/** Breaks a word. A character as a reader sees it is kept whole while it fits. */
function broken(word: string, width: number): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    for (const part of widthOf(segment) <= width ? [segment] : segment) {
      if (piece !== '' && widthOf(piece + part) > width) {
        pieces.push(piece)
        piece = ''
      }
      piece += part
    }
  }
  return [...pieces, piece]
}
