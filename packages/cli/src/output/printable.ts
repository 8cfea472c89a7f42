import { shownName } from '@skills/core'
import { printable, replaceUnsafe } from '@skills/invocation/skill-tool/terminal-text'
import type { Output } from '../io.js'

export { printable, printableLine } from '@skills/invocation/skill-tool/terminal-text'

/** A UTF-16 code unit as JSON may also write it. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON with what a terminal would obey as escapes: another spelling of the same value. */
export function printableJson(json: string): string {
  // Line feeds of the JSON itself stay; within its strings they are escapes already.
  return replaceUnsafe(json, found => (found === '\n' ? found : found.split('').map(escaped).join('')))
}

/** A name within a sentence, in quotes, so that it cannot be mistaken. */
export function inQuotes(name: string): string {
  const shown = shownName(name)
  return shown === name ? `"${name}"` : shown
}

/** What this program itself writes besides text: colours, the end of a line that is shown anew, line feeds and tabs. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const own = /(\r\u001b\[K|\u001b\[\d{1,2}m|[\n\t])/

/** A text of this program that quotes others, without anything that a terminal or a log would obey but its own. */
export function safeText(text: string): string {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text
  return text
    .split(own)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join('')
}

/** An output to which nothing else gets, in every format, and also where its author forgot. */
export function guardedOutput(output: Output): Output {
  return {
    get isTerminal() {
      return output.isTerminal
    },
    get columns() {
      return output.columns
    },
    get isClosed() {
      return output.isClosed
    },
    write: text => output.write(safeText(text)),
  }
}
