import { shownName } from '@skills/core'
import { replaceUnsafe } from '@skills/invocation/skill-tool/terminal-text'

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
