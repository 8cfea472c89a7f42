import { posix } from 'node:path'
import type { Host } from '@skills/core'

/** Sign with the path after it, which ends at white space, a comma, a backtick or a control character. */
const pathAfterSign = /@([^\s,`\p{Cc}]+)/uy
const precedes = /[\p{L}\p{N}_`]$/u

/**
 * Returns the path that a reference names, and where it ends. Returns undefined for a lone sign, and if a letter (as in
 * an e-mail address) or a backtick stands before the sign.
 */
export function referenceAt(text: string, at: number): { readonly path: string; readonly end: number } | undefined {
  // Two code units, since the letter before may take two.
  if (precedes.test(text.slice(Math.max(0, at - 2), at))) return undefined
  pathAfterSign.lastIndex = at
  const written = pathAfterSign.exec(text)?.[1]
  if (written === undefined) return undefined
  // Full stops at the end belong to the sentence.
  let { length } = written
  while (written.charAt(length - 1) === '.') length -= 1
  return length === 0 ? undefined : { path: written.slice(0, length), end: at + 1 + length }
}

/**
 * Returns the absolute paths to try, the first choice first. The skill's own folder comes before the working folder, so
 * that a project cannot replace a file of the skill.
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
