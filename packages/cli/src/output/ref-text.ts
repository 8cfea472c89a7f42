import { shownPath } from './shown-path.js'
import type { CommandRef } from '@skills/core'

/** Returns another skill as a sentence names it: name, source, and file if it has one. */
export function refText({ name, source, path }: CommandRef, cwd: string): string {
  return `${name} of ${source}${path === undefined ? '' : ` (${shownPath(path, cwd)})`}`
}
