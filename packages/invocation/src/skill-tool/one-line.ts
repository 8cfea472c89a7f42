import { escapeTags } from '../escape-tags.js'

/**
 * What is escaped: `tags`, the `<` of the tags that a reminder or an invocation is wrapped in; `angles`, every `<` and
 * `>`; `none`, nothing, for a caller that escapes the whole text itself.
 */
export type Escape = 'tags' | 'angles' | 'none'

/** What nearly every name and description is: words of ASCII with single spaces between them, and no angle brackets. */
const simple = /^[!-;=?-~]+(?: [!-;=?-~]+)*$/
const ascii = /^[\0-\x7f]*$/
const untidy = /[^\S ]|\x85| {2}/
const spaces = /[\s\x85]+/g
const asciiControls = /(?!\s)\p{Cc}/gu
/** Whether there is anything at all to be dropped or marked: a cheap question, and the answer is nearly always no. */
const suspicious = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u
/** A half of a character that is not there. */
const halves = /\p{Cs}/gu
/**
 * Characters that a model reads and a person does not see: control, bidirectional, tag and other invisible characters.
 * Line breaks are not among them, since they become spaces; nor are joiners and the old variation selectors, since
 * emoji and some scripts need them.
 */
const hidden =
  /(?![\t-\r\x85]|\p{Join_Control}|(?![\u{e0100}-\u{e01ef}])\p{Variation_Selector})[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Joiners with nothing to join: within a tag they would only keep it from being recognised. */
const idleJoiners = /(?<=^|[\x20-\x7e])[\p{Join_Control}\p{Variation_Selector}]+(?=[\x20-\x7e]|$)/gu
/** More of them than any character needs carry a message of their own. */
const joinerRuns = /([\p{Join_Control}\p{Variation_Selector}]{2})[\p{Join_Control}\p{Variation_Selector}]+/gu

/**
 * What a file, a server or a model wrote as a part of one line that cannot pass for another, nor end what it is wrapped
 * in. See docs/reference/listing.md, "Listing".
 */
export function oneLine(text: string, escape: Escape = 'tags'): string {
  if (simple.test(text)) return text
  const line = tidy(withoutHidden(text))
  if (escape === 'none') return line
  return escape === 'angles' ? line.replaceAll('<', '&lt;').replaceAll('>', '&gt;') : escapeTags(line)
}

function withoutHidden(text: string): string {
  if (ascii.test(text)) return text.replace(asciiControls, '')
  if (!suspicious.test(text)) return text
  // Spaces first: what stands between two of them joins nothing.
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
