import { messageOf, type Catalog } from '@skills/core'
import { realPathOf } from '@skills/files/internal'
import { again } from '../engine/again.js'
import { firstNames } from './first-names.js'
import { printableLine } from './printable.js'
import { styleOf } from './style.js'
import type { Engine } from '../engine/engine-parts.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Most skills that the line names; the others are counted. */
const mostNamed = 3

/**
 * Prints to standard error which skills have changed since their folder was trusted: they are asked about before they
 * run. Reads the files of skills that were agreed to.
 */
export async function printChanged(
  catalog: Catalog,
  { skills }: Pick<Engine, 'skills'>,
  invocation: Invocation,
  io: Io,
): Promise<void> {
  const { stderr, env, signal } = io
  const { host } = skills
  const { openState, trustedFolders } = await import('@skills/distributions/trust')
  const problems: string[] = []
  const folders = await trustedFolders(openState(host, { report: ({ message }) => problems.push(message) }), {
    signal,
  }).catch((error: unknown) => {
    problems.push(messageOf(error))
    return []
  })
  for (const problem of problems) stderr.write(`skills: ${printableLine(problem)}\n`)
  const agreed = folders.flatMap(({ items = [] }) => items).filter(({ kind }) => kind === 'skill')
  const labels = new Set(agreed.map(({ label }) => label))
  const paths = new Set(agreed.map(({ path }) => path))
  const changed: string[] = []
  // Names are compared first, because resolving a real path looks at each folder on the way.
  for (const { name, command } of catalog.entries.filter(one => labels.has(one.command.name))) {
    if (command.type !== 'prompt' || command.filePath === undefined || !paths.has(realPathOf(command.filePath) ?? ''))
      continue
    const verdict = await skills.use('trust').first((trust, call) => trust.judge(command, true, call), { signal })
    if (verdict?.item === 'changed' && !verdict.isApproved)
      changed.push(`${name} (${verdict.changes?.join('; ') ?? 'its files changed'})`)
  }
  if (changed.length === 0) return
  const text = `Asked about before it runs, because it changed since its folder was trusted: ${firstNames(changed, mostNamed)}. Look at it and agree: ${printableLine(again('trust', invocation, io))}`
  stderr.write(`skills: ${styleOf(stderr, env, invocation.isColorless).yellow(text)}\n`)
}
