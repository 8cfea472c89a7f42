import { shownPath } from './shown-path.js'
import type { CommandRef } from '@skills/core'

/** Returns the text by which a message refers to another skill: its name, its source, and its file if it has one. */
export function refText({ name, source, path }: CommandRef, cwd: string): string {
  return `${name} of ${source}${path === undefined ? '' : ` (${shownPath(path, cwd)})`}`
}
