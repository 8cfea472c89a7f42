/**
 * Characters that a terminal obeys instead of showing, and those that make a text look like another one: controls,
 * bidirectional marks, separators and tags. Joiners stay: emoji and some scripts need them.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to be found
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Text of a file or an error, safe to print: what a terminal would obey is shown as its number, as in `<U+001B>`. */
export function printable(text: string): string {
  return text.replace(unsafe, found => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`)
}

/** The same on one line, runs of white space as one space. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim())
}

/** A UTF-16 code unit as JSON may also write it. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON with the same characters as escapes: another spelling of the same value. */
export function printableJson(json: string): string {
  // Line feeds of the JSON itself stay; within its strings they are escapes already.
  return json.replace(unsafe, found => found === '\n' ? found : found.split('').map(escaped).join(''))
}
