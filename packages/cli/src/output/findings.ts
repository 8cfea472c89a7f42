import type { Diagnostic } from '@skills/core'
import { printableLine } from './printable.js'
import { shownPath, withShownPaths } from './shown-path.js'
import type { Style } from './style.js'

interface Parts {
  readonly what: string
  readonly hint: string
  readonly code: string
}

/** Returns the parts of a finding in colour. */
function partsOf({ path, line, column, severity, message, hint, code }: Diagnostic, cwd: string, style: Style): Parts {
  const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`
  const place = path === undefined ? '' : style.cyan(`${shownPath(path, cwd)}${position}`)
  const paint = severity === 'error' ? style.red : severity === 'warning' ? style.yellow : style.dim
  const clean = (sentence: string): string => printableLine(withShownPaths(sentence, cwd))
  return {
    what: joined([place, paint(severity === 'info' ? 'advice' : severity), clean(message)]),
    hint: hint === undefined ? '' : style.dim(clean(hint)),
    code: style.dim(code),
  }
}

/**
 * Returns a finding on one line: `file:line:column  severity  message  what to do  code`. Two spaces separate the
 * parts, so that programs can split them and a terminal can open the place.
 */
export function findingLine(diagnostic: Diagnostic, cwd: string, style: Style): string {
  const { what, hint, code } = partsOf(diagnostic, cwd, style)
  return joined([what, hint, code])
}

/** Returns a finding for a person: the repair is on a line below it. */
export function findingLines(diagnostic: Diagnostic, cwd: string, style: Style): readonly string[] {
  const { what, hint } = partsOf(diagnostic, cwd, style)
  return hint === '' ? [what] : [what, `  ${hint}`]
}

function joined(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('  ')
}
