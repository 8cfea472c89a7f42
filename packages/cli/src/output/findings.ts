import type { Diagnostic } from '@skills/core'
import { printableLine } from './printable.js'
import { shownPath, withShownPaths } from './shown-path.js'
import type { Style } from './style.js'

interface Parts {
  readonly what: string
  readonly hint: string
  readonly code: string
}

/** The parts of a finding as they are shown, painted. */
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
 * One finding on one line: `file:line:column  severity  message  what to do  code`. Two spaces separate the parts, so
 * that a program can tell them apart and a terminal opens the place.
 */
export function findingLine(diagnostic: Diagnostic, cwd: string, style: Style): string {
  const { what, hint, code } = partsOf(diagnostic, cwd, style)
  return joined([what, hint, code])
}

/** The same for reading: what to do stands below it. */
export function findingLines(diagnostic: Diagnostic, cwd: string, style: Style): readonly string[] {
  const { what, hint } = partsOf(diagnostic, cwd, style)
  return hint === '' ? [what] : [what, `  ${hint}`]
}

function joined(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('  ')
}
