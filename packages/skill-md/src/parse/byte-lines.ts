const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Line of bytes: `start`..`end` without its line end; `next` is the start of the following line. */
export interface ByteLine {
  readonly start: number
  readonly end: number
  readonly next: number
  /** True if a line end was found; false for the text after the last one. */
  readonly ended: boolean
}

/** Returns the line that begins at an offset. Line feeds, carriage returns and pairs of them end a line. */
export function lineAt(bytes: Uint8Array, start: number): ByteLine {
  let end = start
  while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end++
  if (end === bytes.length) return { start, end, next: end, ended: false }
  const pair = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED
  return { start, end, next: end + (pair ? 2 : 1), ended: true }
}

/** Returns the line's bytes as text, one character a byte, and at most `most` of them. */
export function asciiOf(bytes: Uint8Array, line: ByteLine, most = 200): string {
  let text = ''
  for (let at = line.start; at < line.end && at < line.start + most; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

/** Returns true if the line has only spaces and tabs. */
export function isBlankByteLine(bytes: Uint8Array, line: ByteLine): boolean {
  for (let at = line.start; at < line.end; at++) if (bytes[at] !== 32 && bytes[at] !== 9) return false
  return true
}
