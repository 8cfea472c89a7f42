import { InstallError } from './error.js'
import { stageFile, type Step } from './transaction.js'
import { agentFolders, isLinked, linkedFolder, linkText } from './verify.js'
import type { InstallContext } from './context.js'
import type { LockedSkill } from './lock.js'

/**
 * Writes a skill out of the cache into a folder for what is staged, once for its own place and once for each agent that
 * needs a copy. Gives the steps that put all of it, and the links of other agents, in place.
 */
export async function stageSkill(
  staging: string,
  name: string,
  locked: LockedSkill,
  { place, cache }: Pick<InstallContext, 'place' | 'cache'>,
): Promise<readonly Step[]> {
  const own = `${place.folder}/${name}`
  const agents = agentFolders(place, name, locked)
  const copies = [
    ...(isLinked(locked) ? [] : [own]),
    ...agents.flatMap(({ path, how }) => (how === 'copy' ? [path] : [])),
  ]
  const steps: Step[] = isLinked(locked)
    ? [{ do: 'link', path: own, target: linkText(own, linkedFolder(place, locked)) }]
    : []
  for (const [at, to] of copies.entries()) {
    const from = `${staging}/${name}${at === 0 ? '' : `.${at}`}`
    for (const [path, entry] of Object.entries(locked.files)) {
      const bytes = await cache.get(entry.slice(0, 64))
      if (bytes === undefined)
        throw new InstallError(
          'E_INSTALL_FAILED',
          `The cache has lost ${path} of ${name} again.`,
          'Make room on the disk, and try again.',
        )
      stageFile(`${from}/${path}`, bytes, entry.endsWith(' x') ? 0o755 : 0o644)
    }
    steps.push({ do: 'place', from, to })
  }
  for (const { path, how } of agents) if (how === 'link') steps.push({ do: 'link', path, target: linkText(path, own) })
  return steps
}
