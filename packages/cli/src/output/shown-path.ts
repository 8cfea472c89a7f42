import { isAbsolute, relative, sep } from 'node:path'
import { printable } from './printable.js'

/** A path as a person can use it where they are: relative when it lies below the process's folder, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  const isBelow = short !== '' && !short.startsWith('..') && !isAbsolute(short)
  return printable(isBelow ? short.replaceAll(sep, '/') : path)
}

/** What may stand before a path in a sentence: of a longer path that goes on with the folder's name it is none. */
const beforePath = /[\s"'`([{<=:,]/

/** The same for every path that a sentence names: messages carry absolute ones. */
export function withShownPaths(sentence: string, cwd: string): string {
  const folder = `${cwd.replaceAll(sep, '/').replace(/\/$/, '')}/`
  // What is to be written into a file starts from that file's folder, so it stays absolute.
  const isToWrite = (at: number): boolean => sentence.startsWith('["', at - 2)
  return printable(
    folder === '/'
      ? sentence
      : sentence.replaceAll(folder, (found, at: number) =>
          at === 0 || (beforePath.test(sentence.charAt(at - 1)) && !isToWrite(at)) ? '' : found,
        ),
  )
}
