import { stripVTControlCharacters } from 'node:util'

const usualChars = 2_000
/** Controls, bidirectional marks and tags: a person does not see them, and a model reads them. */
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu

/**
 * Makes the output of a hook safe for people and models: without escape sequences, which move the cursor or colour
 * text, and without hidden characters.
 * @param mostChars most UTF-16 code units; a longer text is cut with a mark
 */
export function plainText(written: string, mostChars = usualChars): string {
  const trimmed = stripVTControlCharacters(written).replaceAll(hidden, '').trim()
  const shown = trimmed.slice(0, mostChars).replace(/[\ud800-\udbff]$/, '')
  return shown.length < trimmed.length ? `${shown.trimEnd()} …` : shown
}
