import { isUtf8 } from 'node:buffer'
import type { Diagnostic } from '@skills/core'
import { lineAt } from './byte-lines.js'
import { parseError } from './problems.js'

/**
 * Checks that bytes are text: UTF-8 without NUL. Skills are read on use, so a body is checked when it is read.
 * @param bytes a file, or a part of one that begins at a line's start
 * @param firstLine 1-based line in the file at which they begin
 * @returns a parse error with the line, or undefined if the text is valid
 */
export function checkText(bytes: Uint8Array, firstLine = 1): Diagnostic | undefined {
  const nul = bytes.indexOf(0)
  if (nul !== -1) {
    const wide = bytes[nul - 1] !== undefined && bytes[nul + 2] === 0
    return parseError(
      { line: firstLine + countLineEnds(bytes, nul) },
      {
        code: 'binary-file',
        message: `The file holds a NUL byte; it is ${wide ? 'UTF-16 without a byte order mark, or binary' : 'binary'}.`,
        hint: wide ? 'Save it as UTF-8.' : 'Replace it by a text file.',
      },
    )
  }
  if (isUtf8(bytes)) return undefined
  let line = lineAt(bytes, 0)
  let number = firstLine
  while (isUtf8(bytes.subarray(line.start, line.end)) && line.ended) {
    line = lineAt(bytes, line.next)
    number++
  }
  return parseError(
    { line: number },
    { code: 'invalid-utf8', message: 'The file is not valid UTF-8.', hint: 'Save it as UTF-8.' },
  )
}

function countLineEnds(bytes: Uint8Array, end: number): number {
  let count = 0
  for (let line = lineAt(bytes, 0); line.ended && line.next <= end; line = lineAt(bytes, line.next)) count++
  return count
}

/** Removes an incomplete character from the end of the bytes. */
export function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}
