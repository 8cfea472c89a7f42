import { posix } from 'node:path'
import type { Host } from '@skills/core'

/**
 * A word as it goes on after the sign: up to white space, a comma or a backtick. No control character is part of a
 * path.
 */
const pathAfterSign = /@([^\s,`\p{Cc}]+)/uy
const precedes = /[\p{L}\p{N}_`]$/u

/**
 * The path that a reference names and where it ends; undefined for an e-mail address, a lone sign or a backtick before
 * it.
 */
export function referenceAt(text: string, at: number): { readonly path: string; readonly end: number } | undefined {
  // Two code units: the letter before may be one of those that take both.
  if (precedes.test(text.slice(Math.max(0, at - 2), at))) return undefined
  pathAfterSign.lastIndex = at
  const written = pathAfterSign.exec(text)?.[1]
  if (written === undefined) return undefined
  // The end of a sentence is not part of it.
  let { length } = written
  while (written.charAt(length - 1) === '.') length -= 1
  return length === 0 ? undefined : { path: written.slice(0, length), end: at + 1 + length }
}

/**
 * Where a path may lie, absolute, the first choice first: the skill's own files come before those of the working
 * folder, so that a project cannot put its text in the place of the skill's.
 */
export function placesOf(
  path: string,
  { home, cwd }: Pick<Host, 'home' | 'cwd'>,
  baseDir: string | undefined,
): readonly string[] {
  if (path === '~' || path.startsWith('~/')) return [posix.join(home, path.slice(1))]
  if (posix.isAbsolute(path) || /^[a-z]:[\\/]/i.test(path)) return [path]
  return [...new Set([...(baseDir === undefined ? [] : [baseDir]), cwd].map(folder => posix.join(folder, path)))]
}
