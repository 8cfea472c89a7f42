import type { Diagnostic } from '@skills/core'
import { asciiOf, isBlankByteLine, lineAt, type ByteLine } from './byte-lines.js'
import { closingHint, engineProblem, noBlockProblem, openRuleProblem } from './block-problems.js'
import { parseError, parseWarning } from './problems.js'

/** Place of a block in a file, or the reason why there is none. */
export type Located =
  | { readonly kind: 'none'; /** Offset of the text, after a byte order mark. */ readonly bodyStart: number }
  | { readonly kind: 'needMore' }
  | { readonly kind: 'refused'; readonly diagnostic: Diagnostic }
  | LocatedBlock

export interface LocatedBlock {
  readonly kind: 'block'
  /** 1-based line of the opening fence. */
  readonly fenceLine: number
  /** Offsets of the block's bytes, including the end of its last line. */
  readonly start: number
  readonly end: number
  readonly bodyStart: number
  readonly bodyLine: number
  readonly warnings: readonly Diagnostic[]
}

/**
 * Finds the fences of a file's frontmatter, and tolerates common mistakes around them.
 * @param bytes the file's first bytes
 * @param whole true if they are the whole file
 * @param limit most bytes between the fences
 */
export function locateBlock(bytes: Uint8Array, whole: boolean, limit: number): Located {
  const text = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  if (!whole && bytes.length < 4) return { kind: 'needMore' }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return refuse(1, 'utf16-file', 'The file is encoded as UTF-16.', 'Save it as UTF-8.')
  }
  const lead = skipLead(bytes, text)
  if (lead.kind === 'open') return whole ? { kind: 'none', bodyStart: text } : { kind: 'needMore' }
  if (lead.kind === 'text') return { kind: 'none', bodyStart: text }
  const { line: fence, number, comment } = lead
  if (fence.start === bytes.length) {
    if (!whole) return { kind: 'needMore' }
    return comment === undefined
      ? refuse(1, 'empty-file', 'The file is empty.', 'Write frontmatter and a prompt.')
      : { kind: 'none', bodyStart: text }
  }
  if (!fence.ended && !whole) return { kind: 'needMore' }
  const opening = asciiOf(bytes, fence)
  const language = /^---[ \t]*([A-Za-z][\w+#.-]*)[ \t]*$/.exec(opening)?.[1]?.toLowerCase()
  const isFence =
    (opening.startsWith('---') && isBlankByteLine(bytes, { ...fence, start: fence.start + 3 })) ||
    language === 'yaml' ||
    language === 'yml'
  if (!isFence) {
    const problem = language === undefined ? noBlockProblem(bytes, fence) : engineProblem(language)
    return problem === undefined
      ? { kind: 'none', bodyStart: text }
      : { kind: 'refused', diagnostic: parseError({ line: number }, problem) }
  }
  const warnings =
    comment === undefined
      ? []
      : [
          parseWarning(
            { line: comment },
            {
              code: 'leading-comment',
              message: 'A comment precedes the frontmatter.',
              hint: 'Move the comment below the closing `---`.',
            },
          ),
        ]
  return findClosing(bytes, fence, number, whole, limit, warnings)
}

function findClosing(
  bytes: Uint8Array,
  fence: ByteLine,
  fenceLine: number,
  whole: boolean,
  limit: number,
  warnings: readonly Diagnostic[],
): Located {
  const start = fence.next
  let line = lineAt(bytes, start)
  for (let number = fenceLine + 1; line.start < bytes.length; number++, line = lineAt(bytes, line.next)) {
    if (line.start - start > limit) break
    if (bytes[line.start] === 45 && bytes[line.start + 1] === 45 && bytes[line.start + 2] === 45) {
      if (!line.ended && !whole) return { kind: 'needMore' }
      const block = { kind: 'block', fenceLine, start, end: line.start } as const
      let behind = line.start + 3
      while (behind < line.end && (bytes[behind] === 32 || bytes[behind] === 9)) behind++
      if (behind === line.end)
        return { ...block, bodyStart: line.next, bodyLine: line.ended ? number + 1 : number, warnings }
      if (bytes[line.start + 3] !== 45) {
        const glued = parseWarning(
          { line: number, column: behind - line.start + 1 },
          {
            code: 'glued-fence',
            message: 'Text follows the closing `---` on its line; it is read as the first line of the body.',
            hint: 'Put that text on a line of its own.',
          },
        )
        return { ...block, bodyStart: behind, bodyLine: number, warnings: [...warnings, glued] }
      }
    }
    if (!line.ended) break
  }
  const tooLong = line.start - start > limit
  if (!whole && !tooLong) return { kind: 'needMore' }
  const rule = openRuleProblem(bytes, fence)
  if (rule !== undefined) return { kind: 'refused', diagnostic: parseError({ line: fenceLine }, rule) }
  if (tooLong) {
    const message = `The frontmatter that opens on line ${fenceLine} has no closing fence within ${limit} bytes.`
    return refuse(
      fenceLine,
      'frontmatter-too-large',
      message,
      `${closingHint(bytes, fence, fenceLine)} Move long texts into the body.`,
    )
  }
  return refuse(
    fenceLine,
    'unclosed-frontmatter',
    `The frontmatter that opens on line ${fenceLine} is never closed.`,
    closingHint(bytes, fence, fenceLine),
  )
}

type Lead =
  | { readonly kind: 'open' }
  | { readonly kind: 'text' }
  | {
      readonly kind: 'found'
      readonly line: ByteLine
      readonly number: number
      /** 1-based line of the first comment. */
      readonly comment: number | undefined
    }

/**
 * Skips blank lines and HTML comments. Returns `open` if a comment does not end, and `text` if something follows it on
 * its line.
 */
function skipLead(bytes: Uint8Array, start: number): Lead {
  let comment: number | undefined
  let line = lineAt(bytes, start)
  let number = 1
  while (line.start < bytes.length) {
    if (isBlankByteLine(bytes, line)) {
      if (!line.ended) return { kind: 'found', line: { ...line, start: bytes.length }, number, comment }
    } else if (/^[ \t]*<!--/.test(asciiOf(bytes, line))) {
      comment ??= number
      const opened = asciiOf(bytes, line).indexOf('<!--') + line.start + 4
      let end = findCommentEnd(bytes, opened, line.end)
      while (end === -1 && line.ended) {
        line = lineAt(bytes, line.next)
        number++
        end = findCommentEnd(bytes, line.start, line.end)
      }
      if (end === -1) return { kind: 'open' }
      if (!isBlankByteLine(bytes, { ...line, start: end })) return { kind: 'text' }
      if (!line.ended) return { kind: 'found', line: { ...line, start: bytes.length }, number, comment }
    } else {
      break
    }
    line = lineAt(bytes, line.next)
    number++
  }
  return { kind: 'found', line, number, comment }
}

/** Returns the offset after `-->`, or -1. */
function findCommentEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at + 2 < to; at++)
    if (bytes[at] === 45 && bytes[at + 1] === 45 && bytes[at + 2] === 62) return at + 3
  return -1
}

function refuse(line: number, code: Parameters<typeof parseError>[1]['code'], message: string, hint: string): Located {
  return { kind: 'refused', diagnostic: parseError({ line }, { code, message, hint }) }
}
