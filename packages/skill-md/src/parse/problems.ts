import type { Diagnostic } from '@skills/core'

/** Place in a file; both numbers count from 1. */
export interface Place {
  readonly line: number
  readonly column?: number | undefined
}

export interface Findings {
  readonly code: keyof typeof frontmatterCodes
  readonly message: string
  readonly hint?: string | undefined
  readonly field?: string | undefined
}

/** All codes of a parse, with their meaning. Codes of single fields are in {@link fieldCodes}. */
export const frontmatterCodes = {
  'alias-bomb': 'YAML aliases stand for more nodes than allowed',
  'binary-file': 'the file holds a NUL byte',
  'comment-in-value':
    'a ` #` in an unquoted description, or in another field that may well hold one (arguments, tools, paths), makes the rest of it a comment',
  'continuation-at-margin': 'a value continues at the margin',
  'duplicate-key': 'a key is given twice in one map',
  'empty-file': 'the file is empty',
  'executable-frontmatter': 'the fence names a programming language',
  'fenced-in-code': 'the whole file is in a Markdown code fence',
  'frontmatter-too-large': 'the block is longer than 64 KiB',
  'full-width-colon': 'the colon of a known key is a full-width one',
  'glued-fence': 'text follows the closing fence on its line',
  'glued-key': 'the colon of a known key has no space after it',
  'invalid-escape': 'a backslash in double quotes has no meaning',
  'invalid-utf8': 'the bytes are not UTF-8',
  'invalid-yaml': 'the block is not YAML, even after repair',
  'leading-comment': 'a comment precedes the opening fence',
  'leading-rule': 'the first `---` is a horizontal rule, not a fence',
  'misindented-key': 'a known key is indented further than the key before it',
  'missing-opening-fence': 'there are keys and no opening fence',
  'not-a-mapping': 'the block holds no `key: value` pairs',
  'reserved-character': 'an unquoted value begins with a character that YAML reserves',
  'tab-indentation': 'a line is indented by tabs',
  'text-after-block-mark': 'text follows `|` or `>` on the line of the key',
  'text-after-value': 'text follows a closing quote or bracket',
  'unclosed-frontmatter': 'the block has no closing fence',
  'unclosed-value': 'a quote or bracket is never closed',
  'unquoted-text': 'an unquoted value contains `: ` or ` #`',
  'unsafe-key': 'a key that would reach a prototype was dropped',
  'unsupported-engine': 'the fence names a language other than YAML',
  'utf16-file': 'the file is UTF-16',
} as const

/** Makes a parse error at a place. */
export function parseError(place: Place, findings: Findings): Diagnostic {
  return diagnose('error', place, findings)
}

/** Makes a warning for something that was accepted but should be written in another way. */
export function parseWarning(place: Place, findings: Findings): Diagnostic {
  return diagnose('warning', place, findings)
}

function diagnose(
  severity: 'error' | 'warning',
  { line, column }: Place,
  { code, message, hint, field }: Findings,
): Diagnostic {
  return {
    severity,
    type: 'parse',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    line,
    column: column ?? 1,
    ...(field === undefined ? {} : { field }),
  }
}
