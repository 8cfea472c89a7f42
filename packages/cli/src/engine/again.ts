import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Parts of a command line that say where and how to search for skills. */
export type Again = Pick<Invocation, 'distribution' | 'cwd' | 'home' | 'addDirs' | 'pluginDirs' | 'marketplaces'>

/** Returns a follow-up command line that calls this program again with the same search options. */
export function again(
  words: string,
  { distribution, cwd, home, addDirs, pluginDirs, marketplaces }: Again,
  { program }: Io,
): string {
  const options = [
    ...pair('--distribution', distribution),
    ...pair('--cwd', cwd),
    ...pair('--home', home),
    ...addDirs.flatMap(folder => pair('--add-dir', folder)),
    ...pluginDirs.flatMap(folder => pair('--plugin-dir', folder)),
    ...marketplaces.flatMap(folder => pair('--marketplace', folder)),
  ]
  return [program, words, ...options].join(' ')
}

/** Returns an option with its value as one part of a command line; none without a value. */
export function pair(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${flag} ${quoted(value)}`]
}

/**
 * Quotes a word for the shell that people type it into: for one of POSIX, and on Windows for both `cmd.exe`, which has no
 * single quotes, and PowerShell.
 */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  return /^[\w+=:.~\\/-][\w@+=:.~\\/-]*$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`
}
