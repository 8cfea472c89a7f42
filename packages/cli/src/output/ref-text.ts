import { shownPath } from './shown-path.js'
import type { CommandRef } from '@skills/core'

/** Another skill as a sentence names it: its name, its source, and its file where it has one. */
export function refText({ name, source, path }: CommandRef, cwd: string): string {
  return `${name} of ${source}${path === undefined ? '' : ` (${shownPath(path, cwd)})`}`
}
