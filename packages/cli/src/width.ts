import { widthOf } from '@skills/skill-tool/terminal-text'

export { cut, pad, widthOf } from '@skills/skill-tool/terminal-text'

/** Cells of a column: what its widest text takes, at most `most`; a longer text pushes its own line out. */
export function columnOf(texts: readonly string[], most = Infinity): number {
  return Math.min(most, texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0))
}

/** What a name may take of a line. */
export const mostOfName = 40
