import { shownName } from '@skills/core'
import { printable, replaceUnsafe } from '@skills/invocation/skill-tool/terminal-text'
import type { Output } from '../io.js'

export { printable, printableLine } from '@skills/invocation/skill-tool/terminal-text'

/** Returns a UTF-16 code unit as a JSON escape. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns the same JSON value with control characters as escapes, so that a terminal does not obey them. */
export function printableJson(json: string): string {
  // Line feeds between JSON values stay; within strings they are escapes already.
  return replaceUnsafe(json, found => (found === '\n' ? found : found.split('').map(escaped).join('')))
}

/** Returns a name in quotes for a sentence. */
export function inQuotes(name: string): string {
  const shown = shownName(name)
  return shown === name ? `"${name}"` : shown
}

/** Control characters that this program writes itself: colours, the start of a rewritten line, line feeds and tabs. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const own = /(\r\u001b\[K|\u001b\[\d{1,2}m|[\n\t])/

/** Returns a text of this program without control characters of the texts it quotes. Keeps the program's own. */
export function safeText(text: string): string {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text
  return text
    .split(own)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join('')
}

/** Returns an output that removes foreign control characters from everything written to it, in every format. */
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
