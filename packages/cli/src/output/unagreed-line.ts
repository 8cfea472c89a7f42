import { again } from '../engine/again.js'
import { printableLine } from './printable.js'
import { shownPath } from './shown-path.js'
import { styleOf } from './style.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'
import type { JudgedItem } from '@skills/distributions/configuration'

/** Most items that the line names; the others are counted. */
const mostNamed = 3

/**
 * Prints to standard error which items of a trusted folder have no effect, because the user has not agreed to them, and
 * which command shows them.
 */
export function printUnagreed(unagreed: readonly JudgedItem[], invocation: Invocation, io: Io): void {
  const { stderr, env, cwd } = io
  const named = unagreed
    .slice(0, mostNamed)
    .map(
      ({ kind, label, path, line, state }) =>
        `${kind} ${label} (${state}, ${shownPath(path, cwd)}${line === undefined ? '' : `:${line}`})`,
    )
  const more = unagreed.length > mostNamed ? `, and ${unagreed.length - mostNamed} more` : ''
  const text = `Does not count, because it is new or changed since its folder was trusted: ${printableLine(named.join(', '))}${more}. Look at it and agree: ${printableLine(again('trust', invocation, io))}`
  stderr.write(`skills: ${styleOf(stderr, env, invocation.isColorless).yellow(text)}\n`)
}
