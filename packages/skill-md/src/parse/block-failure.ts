import type { Diagnostic } from '@skills/core'
import type { ParseFailure } from '../types.js'
import type { YamlFailure, YamlOutcome } from '../yaml/engine.js'
import { leadingRule } from './block-problems.js'
import { parseError } from './problems.js'
import type { RepairedBlock } from './repair.js'

/** Returns the error for a closed block that could not be read, even after repair. */
export function refuseBlock(
  lines: readonly string[],
  fenceLine: number,
  outcome: YamlOutcome,
  repair: RepairedBlock | undefined,
  second: YamlOutcome | undefined,
): ParseFailure {
  const fileLine = (line: number) => fenceLine + 1 + line
  const hasKeys = lines.some(line => /^[ \t]*(?:- +)?(?:"[^"]*"|'[^']*'|[^\s:#'"][^:]{0,80}):(?:[ \t]|$)/.test(line))
  const glued = lines.findIndex(line => /^[A-Za-z_][\w-]*(?::[^\s/]|\uff1a)/.test(line))
  if (outcome.ok) {
    if (!hasKeys && glued === -1 && typeof outcome.value === 'string')
      return fail(parseError({ line: fenceLine }, leadingRule))
    return fail(
      parseError(
        { line: fileLine(Math.max(glued, 0)) },
        {
          code: 'not-a-mapping',
          message: `The frontmatter is ${Array.isArray(outcome.value) ? 'a list' : 'a text'}, not a map of keys and values.`,
          hint:
            glued === -1
              ? 'Write each field as `key: value` on a line of its own.'
              : /^[^:]*\uff1a/.test(lines[glued] ?? '')
                ? halfWidth
                : 'Write a space after the colon of each key.',
        },
      ),
    )
  }
  if (!hasKeys && glued === -1) return fail(parseError({ line: fenceLine }, leadingRule))
  // The failure that repair could not solve is the one to report, at its line in the file.
  if (second?.ok === false && repair !== undefined)
    return fail(explainFailure(blamed(second, repair.lines), line => fileLine(repair.origins[line] ?? line)))
  return fail(explainFailure(blamed(outcome, lines), fileLine))
}

/**
 * Moves a failure to its cause. The library takes a first line without a key for the whole document, and fails at the
 * next key.
 */
function blamed(failure: YamlFailure, lines: readonly string[]): YamlFailure {
  const first = lines.findIndex(line => !/^[ \t]*(?:#|$)/.test(line))
  const text = lines[first] ?? ''
  if (!noSeparator.test(failure.reason) || failure.line <= first || isKey.test(text)) return failure
  return { ...failure, line: first, column: 0, ...(text.includes('\uff1a') && { reason: 'full-width colon' }) }
}

const halfWidth = 'Write `: `, an ASCII colon and a space, in place of the full-width colon of each key.'
const noSeparator = /document separator/
const isKey = /^[ \t]*(?:"[^"]*"|'[^']*'|[^\s:#'"[{-][^:]{0,80}):(?:[ \t]|$)/

/** Converts a failure of the YAML library to a diagnostic. */
export function explainFailure(failure: YamlFailure, fileLine: (line: number) => number): Diagnostic {
  const { message, hint } = explainReason('frontmatter', failure)
  return parseError({ line: fileLine(failure.line), column: failure.column + 1 }, { code: failure.code, message, hint })
}

/** Returns the reason of the YAML library in words that say what to do. */
export function explainReason(
  what: 'frontmatter' | 'document',
  { code, reason }: YamlFailure,
): { readonly message: string; readonly hint: string } {
  if (code === 'alias-bomb')
    return { message: `The ${what} ${reason}.`, hint: 'Write each value in full instead of an alias.' }
  const known = explanations.find(({ pattern }) => pattern.test(reason))
  const hint = known?.hint ?? 'Put values that contain `: `, ` #` or begin with a special character in quotes.'
  return { message: `The ${what} is not valid YAML: ${known?.problem ?? reason}.`, hint }
}

const explanations: readonly { readonly pattern: RegExp; readonly problem: string; readonly hint: string }[] = [
  {
    pattern: /document separator|implicit key|colon is missed/,
    problem: 'this line is neither `key: value` nor part of the value before it',
    hint: 'Write it as `key: value`, or indent it.',
  },
  {
    pattern: /full-width colon/,
    problem: 'this line has a full-width colon, so YAML finds no key in it',
    hint: halfWidth,
  },
  {
    pattern: /bad indentation/,
    problem: 'the indentation of this line does not fit the lines before it',
    hint: 'Indent keys of the same level by the same number of spaces.',
  },
  { pattern: /tab characters/, problem: 'a tab is used for indentation', hint: 'Indent by spaces.' },
  { pattern: /non-printable|valid JSON character/, problem: 'a value holds a control character', hint: 'Remove it.' },
  { pattern: /single document/, problem: 'there is a second document in it', hint: 'Remove the `...` line.' },
]

function fail(diagnostic: Diagnostic): ParseFailure {
  return { ok: false, diagnostics: [diagnostic] }
}
