import { isAbsolute, relative } from 'node:path'
import { printable } from './printable.js'

/** A path as a person can use it where they are: relative when it lies below the process's folder, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  const isBelow = short !== '' && !short.startsWith('..') && !isAbsolute(short)
  return printable(isBelow ? short.replaceAll('\\', '/') : path)
}

/** The same for every path that a sentence names: messages carry absolute ones. */
export function withShownPaths(sentence: string, cwd: string): string {
  return printable(sentence.replaceAll(`${cwd.replaceAll('\\', '/')}/`, ''))
}
