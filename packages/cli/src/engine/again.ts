import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** What of a command line says where is looked, and how. */
export type Again = Pick<Invocation, 'distribution' | 'cwd' | 'home' | 'addDirs' | 'pluginDirs' | 'marketplaces'>

/** A command line to go on with: the program as it was called now, looking at the same places in the same way. */
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

function pair(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${flag} ${quoted(value)}`]
}

/** As a shell takes it for one word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
