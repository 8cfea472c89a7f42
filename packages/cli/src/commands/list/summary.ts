import { type Listed, problemsOf } from '@skills/inspect/internal'
import { again } from '../../engine/again.js'
import { counted, countsOf } from '../../output/problems.js'
import { countsOfOthers } from '../../output/others-text.js'
import { styleOf } from '../../output/style.js'
import { widthOf } from '../../output/width.js'
import type { Catalog } from '@skills/core'
import type { Engine } from '../../engine/engine-parts.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Io } from '../../io.js'

/** Prints the line below a list to standard error: the number of skills, and whether there are problems. */
export function printSummary(
  listed: readonly Listed[],
  catalog: Catalog,
  { reported }: Engine,
  invocation: InvocationOf<typeof command>,
  io: Io,
): void {
  const { stdout, stderr, env } = io
  const style = styleOf(stderr, env, invocation.isColorless)
  const problems = problemsOf(catalog, reported)
  const source = invocation.text('--source')
  const what = `${counted(listed.length, 'skill')}${source === undefined ? '' : ` of ${source}`}`
  // Skills that failed to load are among the errors.
  const others =
    invocation.has('--all') || source !== undefined
      ? []
      : countsOfOthers(catalog, ['qualified', 'shadowed', 'duplicate', 'disabled'])
  const besides = others.map(({ count, words }, at) => `${count}${at === 0 ? ' more' : ''} ${words}`).join(', ')
  const parts = [
    what,
    ...(besides === '' ? [] : [`${besides}: ${again('list --all', invocation, io)}`]),
    ...(problems.length > 0 ? [`${countsOf(problems)}: ${again('lint', invocation, io)}`] : []),
  ]
  // A program gets the line only if there are problems. A person always gets it, because an empty list is an answer
  // too.
  if (problems.length === 0 && !(stdout.isTerminal && stderr.isTerminal)) return
  // Each part ends with a command line that people copy, so it must not be folded.
  const isNarrow = stderr.isTerminal && widthOf(parts.join(' · ')) > stderr.columns
  const text = `${stdout.isTerminal && listed.length > 0 && !invocation.json ? '\n' : ''}${parts.join(isNarrow ? '\n' : ' · ')}\n`
  const hasErrors = problems.some(({ severity }) => severity === 'error')
  stderr.write((hasErrors ? style.red : problems.length > 0 ? style.yellow : style.dim)(text))
  if (listed.length === 0 && problems.length === 0)
    stderr.write('Run skills without arguments to see where skills are looked for.\n')
}
