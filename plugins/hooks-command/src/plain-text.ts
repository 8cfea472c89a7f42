import { stripVTControlCharacters } from 'node:util'

const usualChars = 2_000
/**
 * Controls, what turns the direction of writing round, and tags: a person does not see them, and a model reads them.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu

/**
 * What a hook wrote, for a person or a model to read: what is shown must not move the cursor, and colours tell a model
 * nothing.
 * @param mostChars UTF-16 code units, after which it is cut off with a mark
 */
export function plainText(written: string, mostChars = usualChars): string {
  const trimmed = stripVTControlCharacters(written).replaceAll(hidden, '').trim()
  const shown = trimmed.slice(0, mostChars).replace(/[\ud800-\udbff]$/, '')
  return shown.length < trimmed.length ? `${shown.trimEnd()} …` : shown
}
