/** What a path of a store may have: more of it no file system holds, so that no honest tree has it. */
const most = { pathBytes: 4096, partBytes: 255, parts: 64 }

/** Bytes that the target of a link may have. */
export const longestTarget = most.pathBytes

/**
 * Says which limit a path within a store, or the target of a link, breaks, as the end of a sentence; undefined for one
 * that breaks none. Its work does not grow with a path that is too long.
 * @param path with `/` between its parts
 */
export function limitBrokenBy(path: string): string | undefined {
  if (path.length > most.pathBytes || Buffer.byteLength(path) > most.pathBytes)
    return `has more than ${most.pathBytes} bytes`
  for (let start = 0, parts = 1; ; parts++) {
    if (parts > most.parts) return `has more than ${most.parts} parts`
    const end = path.indexOf('/', start)
    const length = (end < 0 ? path.length : end) - start
    // Of no character of UTF-16 come more than three bytes.
    if (length * 3 > most.partBytes && Buffer.byteLength(path.slice(start, start + length)) > most.partBytes)
      return `has a part of more than ${most.partBytes} bytes`
    if (end < 0) return undefined
    start = end + 1
  }
}

/** A path as a message shows it: in quotes, and no longer than a line. */
export function quotedPath(path: string): string {
  return path.length <= 120 ? JSON.stringify(path) : `${JSON.stringify(path.slice(0, 120))}…`
}

/**
 * The form by which a part of a path is compared where two names may be one file: without letter case, composition,
 * forms of compatibility and what is not seen. It takes more for one than any single file system does.
 */
export function foldedName(name: string): string {
  if (/^[\0-\x7f]*$/.test(name)) return name.toLowerCase()
  // Lower case first: a capital sharp s has no upper case of its own. Then upper, which ends what lower keeps apart: ſ
  // and s, ß and ss, ς and σ.
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKC')
    .toLowerCase()
}
