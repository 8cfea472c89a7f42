import { cut, pad, widthOf } from '@skills/invocation/skill-tool/terminal-text'

export { cut, pad, widthOf }

/** Returns the cells of a column: those of its widest text, at most `most`. A longer text shifts its own line. */
export function columnOf(texts: readonly string[], most = Infinity): number {
  return Math.min(
    most,
    texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0),
  )
}

/** Most cells of a name. */
const mostOfName = 40

/**
 * Returns names for a column of a table, with its title. A name gets at most 40 cells and two fifths of the line; a
 * longer one has `…` in its middle. Names that would then look the same stay whole.
 * @param columns cells of the line
 * @param room cells that the other columns leave; default: no limit
 */
export function nameColumn(
  names: readonly string[],
  columns: number,
  room = mostOfName,
): { readonly title: string; readonly names: readonly string[] } {
  const most = Math.min(mostOfName, Math.floor(columns * 0.4), room)
  const short = names.map(name => shortened(name, most))
  const times = new Map<string, number>()
  for (const one of short) times.set(one, (times.get(one) ?? 0) + 1)
  const shown = short.map((one, at) => (times.get(one) === 1 ? one : (names[at] ?? '')))
  const cells = columnOf(['NAME', ...shown], most)
  return { title: pad('NAME', cells), names: shown.map(name => pad(name, cells)) }
}

/** Returns a text that is too long with its middle cut out, because both ends tell more than the beginning. */
function shortened(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text
  const head = cut(text, Math.ceil(cells / 2))
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  let tail = ''
  for (
    let letter = letters.pop();
    letter !== undefined && widthOf(head) + widthOf(letter + tail) <= cells;
    letter = letters.pop()
  )
    tail = letter + tail
  return head + tail
}
