import { escapeTags } from '../escape-tags.js'

/**
 * Characters to escape. `tags`: the `<` of tags that wrap a reminder or an invocation; `angles`: every `<` and `>`;
 * `spaced`: the same, and each run of line breaks, tabs and invisible characters is one space, while other spaces stay;
 * `none`: nothing, for a caller that escapes the whole text itself.
 */
export type Escape = 'tags' | 'angles' | 'spaced' | 'none'

/** Form of nearly every name and description: ASCII words with single spaces between them and no angle brackets. */
const simple = /^[!-;=?-~]+(?: [!-;=?-~]+)*$/
const ascii = /^[\0-\x7f]*$/
const untidy = /[^\S ]|\x85| {2}/
const spaces = /[\s\x85]+/g
const asciiControls = /(?!\s)\p{Cc}/gu
/** Cheap first test for characters to remove or mark. Nearly every text has none. */
const suspicious = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u
/** Surrogate without its other half. */
const halves = /\p{Cs}/gu
/**
 * Characters that a model reads and a person does not see: control, bidirectional, tag and other invisible characters.
 * Line breaks are left out, since they become spaces. Joiners and the old variation selectors are too, since emoji and
 * some scripts need them.
 */
const hidden =
  /(?![\t-\r\x85]|\p{Join_Control}|(?![\u{e0100}-\u{e01ef}])\p{Variation_Selector})[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Joiners with nothing to join. Inside a tag they would only hide it from the escaping. */
const idleJoiners = /(?<=^|[\x20-\x7e])[\p{Join_Control}\p{Variation_Selector}]+(?=[\x20-\x7e]|$)/gu
/** Commands for a terminal, such as colours. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be found
const terminal = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[^]?/gu
/** Line breaks and characters that a person does not see, but for spaces. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu
/** Runs of joiners longer than any character needs. They could carry a hidden message. */
const joinerRuns = /([\p{Join_Control}\p{Variation_Selector}]{2})[\p{Join_Control}\p{Variation_Selector}]+/gu

/**
 * Makes a text from a file, a server or a model safe as part of one line: the text can neither imitate another line nor
 * close the tag around it. See docs/reference/listing.md, "Listing".
 */
export function oneLine(text: string, escape: Escape = 'tags'): string {
  if (simple.test(text)) return text
  if (escape === 'spaced') return angles(text.trim().replace(terminal, '').replace(unseen, ' '))
  const line = tidy(withoutHidden(text))
  if (escape === 'none') return line
  return escape === 'angles' ? angles(line) : escapeTags(line)
}

function angles(line: string): string {
  return line.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function withoutHidden(text: string): string {
  if (ascii.test(text)) return text.replace(asciiControls, '')
  if (!suspicious.test(text)) return text
  // Spaces are joined first: a joiner between two of them joins nothing.
  return text
    .replace(halves, '\ufffd')
    .replace(hidden, '')
    .replace(joinerRuns, '$1')
    .replace(spaces, ' ')
    .replace(idleJoiners, '')
}

function tidy(text: string): string {
  return (untidy.test(text) ? text.replace(spaces, ' ') : text).trim()
}
