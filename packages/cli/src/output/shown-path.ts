import { isAbsolute, relative, sep } from 'node:path'
import { printable } from './printable.js'

/** Returns a path that a person can use in the working folder: relative if it is below it, otherwise absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  const isBelow = short !== '' && !short.startsWith('..') && !isAbsolute(short)
  return printable(isBelow ? short.replaceAll(sep, '/') : path)
}

/**
 * Characters that may precede a path in a sentence. After any other, the folder's name is only part of a longer path.
 */
const beforePath = /[\s"'`([{<=:,]/

/** Shortens every path in a sentence like `shownPath`, because messages have absolute paths. */
export function withShownPaths(sentence: string, cwd: string): string {
  const folder = `${cwd.replaceAll(sep, '/').replace(/\/$/, '')}/`
  // A path to be written into a file stays absolute, because it would be relative to that file's folder.
  const isToWrite = (at: number): boolean => sentence.startsWith('["', at - 2)
  return printable(
    folder === '/'
      ? sentence
      : sentence.replaceAll(folder, (found, at: number) =>
          at === 0 || (beforePath.test(sentence.charAt(at - 1)) && !isToWrite(at)) ? '' : found,
        ),
  )
}
