import { findProjectFolders } from '@skills/files'
import { isInside, realPathOf } from '@skills/files/internal'
import { again, quoted } from './again.js'
import { printableLine } from '../output/printable.js'
import { shownPath } from '../output/shown-path.js'
import { askWhetherTrusted } from './trust-folder.js'
import { stateOf } from './state-of.js'
import { exitCodes, type Io } from '../io.js'
import type { Host } from '@skills/core'
import type { UnagreedDistribution, MakeDistribution } from '@skills/distributions/internal'
import type { WithEngine } from './engine-parts.js'
import type { Invocation } from '../arguments/invocation.js'

// The build puts this into a file of its own, which is read only for a distribution from a module or package.

/** Values that are needed to ask the user whether a module may be the distribution. */
export interface Asked {
  readonly invocation: Invocation
  readonly io: Io
  readonly host: Host
  /** The standard distribution as this program uses it. */
  readonly standard: MakeDistribution
  readonly withEngine: WithEngine
}

/**
 * Loads the distribution of a module or package. If the user has not agreed to its current code, asks at a terminal,
 * together with everything else that trusting its folder switches on. Returns undefined if the user cancels. For the
 * command `trust` it returns the standard distribution instead of asking. Throws if the user does not agree. Also
 * throws the errors of `loadDistribution`.
 * @param name path, or name of a package
 */
export async function ownDistribution(
  name: string,
  { invocation, io, host, standard, withEngine }: Asked,
): Promise<MakeDistribution | undefined> {
  const { loadDistribution, namedWith } = await import('./configured.js')
  const { importModule } = await import('./import-module.js')
  const { signal } = io
  const options = {
    state: await stateOf(host, io),
    signal,
    importModule,
    baseNamed: namedWith(standard),
    folder: io.cwd,
  }
  const found = await loadDistribution(name, host, options)
  if ('make' in found) return found.make
  if (invocation.command === 'trust') return standard
  const { top } = findProjectFolders(host)
  const isOfProject = isInside(found.folder, realPathOf(top) ?? top)
  const folder = isOfProject ? top : found.folder
  const refusal = ({ unagreed }: UnagreedDistribution): Error => {
    const files = unagreed.map(({ path, state }) => `${shownPath(path, io.cwd)} (${state})`).join(', ')
    const words = isOfProject ? 'trust' : `trust ${quoted(folder)}`
    return new Error(
      printableLine(
        `The distribution "${name}" did not run, because you have not agreed to its code as it is now: ${files}. Look at it and agree: ${again(words, invocation, io)}`,
      ),
    )
  }
  if (io.prompter === undefined) throw refusal(found)
  const from = isOfProject ? host : { ...host, cwd: folder }
  const looking = {
    ...invocation,
    command: 'trust' as const,
    distribution: 'standard',
    cwd: isOfProject ? invocation.cwd : folder,
  }
  let answer: Awaited<ReturnType<typeof askWhetherTrusted>>
  await withEngine(looking, io, async engine => {
    answer = await askWhetherTrusted({ folder, from }, engine, invocation, io)
    return exitCodes.ok
  })
  if (answer === undefined) return undefined
  const agreed = answer === 'yes' ? await loadDistribution(name, host, options) : found
  if ('make' in agreed) return agreed.make
  throw refusal(agreed)
}
