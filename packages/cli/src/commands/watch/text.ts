import { locationOf, type Diagnostic, shownName } from '@skills/core'
import { counted, countsOf } from '../../output/problems.js'
import { printableLine, printableJson } from '../../output/printable.js'
import { shownPath, withShownPaths } from '../../output/shown-path.js'
import { styleOf } from '../../output/style.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

export interface WatchedSkill {
  readonly name: string
  readonly source: string | undefined
  readonly path: string | undefined
}

/** Event that `skills watch` prints. */
export type WatchEvent =
  | {
      readonly event: 'started'
      readonly skills: number
      readonly problems: readonly Diagnostic[]
      readonly places: readonly string[]
    }
  | ({ readonly event: 'added' | 'removed' | 'changed' } & WatchedSkill)
  | { readonly event: 'problem' | 'solved'; readonly problem: Diagnostic }

const signs = { added: '+', removed: '−', changed: '~', problem: '!', solved: '✓' } as const

/** Returns a function that prints each event on a line: for people, in columns separated by tabs, or as JSON. */
export function watchPrinter(invocation: Invocation, io: Io): (event: WatchEvent) => void {
  const { stdout } = io
  if (!invocation.json) return event => stdout.write(`${lineOf(event, invocation, io)}\n`)
  return event => {
    const json = `${JSON.stringify(jsonOf(event))}\n`
    stdout.write(stdout.isTerminal ? printableJson(json) : json)
  }
}

function lineOf(event: WatchEvent, { isColorless }: Invocation, { stdout, env, cwd }: Io): string {
  const style = styleOf(stdout, env, isColorless)
  if (event.event === 'started') {
    const counts = countsOf(event.problems)
    return `${[counted(event.skills, 'skill'), ...(counts === '' ? [] : [counts])].join(', ')}${stdout.isTerminal ? style.dim(' – watching; Ctrl-C ends it') : ''}`
  }
  const paint = {
    added: style.green,
    removed: style.red,
    changed: style.yellow,
    problem: style.red,
    solved: style.green,
  }[event.event]
  const columns =
    'problem' in event
      ? [event.problem.severity, placeOf(event.problem, cwd), printableLine(withShownPaths(event.problem.message, cwd))]
      : [
          style.bold(shownName(event.name)),
          event.source ?? '',
          event.path === undefined ? '' : shownPath(event.path, cwd),
        ]
  return [paint(signs[event.event]), ...columns].join(stdout.isTerminal ? '  ' : '\t').trimEnd()
}

function placeOf(problem: Diagnostic, cwd: string): string {
  return problem.path === undefined ? '' : locationOf({ ...problem, path: shownPath(problem.path, cwd) })
}

/** Returns an event as JSON. Every key is present; null means no value. */
function jsonOf(event: WatchEvent): Record<string, unknown> {
  if (event.event === 'started') {
    const count = (severity: Diagnostic['severity']): number =>
      event.problems.filter(problem => problem.severity === severity).length
    return {
      event: 'started',
      skills: event.skills,
      errors: count('error'),
      warnings: count('warning'),
      places: event.places,
    }
  }
  if (!('problem' in event))
    return { event: event.event, name: event.name, source: event.source ?? null, path: event.path ?? null }
  const { severity, code, message, hint = null, path = null, line = null, column = null, name = null } = event.problem
  return { event: event.event, severity, code, message, hint, path, line, column, name }
}
