import { readSkill, type SkillContent } from './skill-files.js'
import type { InstallContext } from './context.js'
import type { OpenedSource } from './open-source.js'

/**
 * Reads a skill of a source into the cache.
 * @param path folder of the skill below the source's root; empty for the root itself
 */
export function readIntoCache(
  { store, root, top, isLocal, skips }: OpenedSource,
  path: string,
  { limits, signal, cache }: Pick<InstallContext, 'limits' | 'signal' | 'cache'>,
): Promise<SkillContent> {
  const isRoot = path === ''
  return readSkill(store, isRoot ? root : `${root}/${path}`, {
    limits,
    top,
    isLocal,
    skips: isRoot ? skips : [],
    endsAtSkills: isRoot,
    signal,
    keep: bytes => cache.put(bytes),
  })
}
