/** Limits of a path in a store. No file system holds more, so no honest tree exceeds them. */
const most = { pathBytes: 4096, partBytes: 255, parts: 64 }

/** Most bytes of a link's target. */
export const longestTarget = most.pathBytes

/**
 * Returns the limit that a path in a store or the target of a link exceeds, as the end of a sentence; undefined if it
 * exceeds none. A path that is too long is not read to its end.
 * @param path with `/` between its parts
 */
export function limitBrokenBy(path: string): string | undefined {
  if (path.length > most.pathBytes || Buffer.byteLength(path) > most.pathBytes)
    return `has more than ${most.pathBytes} bytes`
  for (let start = 0, parts = 1; ; parts++) {
    if (parts > most.parts) return `has more than ${most.parts} parts`
    const end = path.indexOf('/', start)
    const length = (end < 0 ? path.length : end) - start
    // A UTF-16 code unit becomes at most three bytes.
    if (length * 3 > most.partBytes && Buffer.byteLength(path.slice(start, start + length)) > most.partBytes)
      return `has a part of more than ${most.partBytes} bytes`
    if (end < 0) return undefined
    start = end + 1
  }
}

/** Returns a path for a message: in quotes, and no longer than a line. */
export function quotedPath(path: string): string {
  return path.length <= 120 ? JSON.stringify(path) : `${JSON.stringify(path.slice(0, 120))}…`
}

/**
 * Returns the form in which names are compared: without letter case, composition, compatibility forms and invisible
 * characters. Names with an equal form may be the same file; more names are equal in this form than in any single file
 * system.
 */
export function foldedName(name: string): string {
  if (/^[\0-\x7f]*$/.test(name)) return name.toLowerCase()
  // Lower case first, because a capital sharp s has no upper case of its own. Upper case then joins characters that
  // lower case keeps apart: ſ and s, ß and ss, ς and σ.
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKC')
    .toLowerCase()
}
