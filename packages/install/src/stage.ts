import { SkillsError } from '@skills/core'
import { linkText, spotsOf } from './differences.js'
import type { InstallContext } from './context.js'
import type { LockedSkill } from './lock.js'
import type { Staging, Step } from './transaction.js'

/**
 * Writes a skill from the cache into the staging folder, once for each place that gets a copy. Returns the steps that
 * put everything in place, including links.
 */
export async function stageSkill(
  staging: Staging,
  name: string,
  locked: LockedSkill,
  { place, cache }: Pick<InstallContext, 'place' | 'cache'>,
): Promise<readonly Step[]> {
  const steps: Step[] = []
  for (const [at, { path: to, target }] of spotsOf(place, name, locked).entries()) {
    if (target !== undefined) {
      steps.push({ do: 'link', path: to, target: linkText(to, target) })
      continue
    }
    const from = `${staging.path}/${at}/${name}`
    for (const [path, entry] of Object.entries(locked.files)) {
      const bytes = await cache.get(entry.slice(0, 64))
      if (bytes === undefined)
        throw new SkillsError(
          'E_INSTALL_FAILED',
          `The file ${path} of ${name} is missing from the cache, although it was just fetched.`,
          { hint: 'Free space on the disk, and try again.' },
        )
      staging.create(`${from}/${path}`, bytes, entry.endsWith(' x') ? 0o755 : 0o644)
    }
    steps.push({ do: 'place', from, to })
  }
  return steps
}
