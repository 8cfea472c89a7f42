import { paddingIn, type Padding } from './padding.js'
import { TextPlaces } from './text-places.js'
import type { Unplaced } from './audit-finding.js'

const words: Readonly<Record<Padding['kind'], (count: number) => string>> = {
  lines: count => `continues after ${count} blank lines`,
  columns: count => `continues after ${count} spaces in a line`,
  long: count => `has a line of ${count} characters`,
}

/**
 * Returns a finding for each place where a text continues but a reader would not see that it does.
 * @param what noun for the text, for use in a sentence
 */
export function auditPadding(text: string, what: string): readonly Unplaced[] {
  const found = paddingIn(text)
  if (found.length === 0) return []
  const places = new TextPlaces(text)
  return found.map(({ kind, count, at }) => ({
    level: kind === 'long' ? 'medium' : 'high',
    code: 'padded-file',
    message: `Text may be hidden: ${what} ${words[kind](count)}: ${text.slice(at, at + 120).trim()}`,
    text: text.slice(at, at + 1000),
    ...places.at(at),
  }))
}
