import { readSkill, type SkillContent } from './skill-files.js'
import type { InstallContext } from './context.js'
import type { OpenedSource } from './open-source.js'

/**
 * Reads a skill of a source into the cache.
 * @param path folder of the skill below the source's root; empty for the root itself
 */
export function readIntoCache(
  source: OpenedSource,
  path: string,
  context: Pick<InstallContext, 'limits' | 'signal' | 'cache'>,
): Promise<SkillContent> {
  return readFrom(source, path, context, bytes => context.cache.put(bytes))
}

/** Reads a skill of a source, and passes the bytes of each file to `keep`, which returns their digest. */
export function readFrom(
  { store, root, top, isLocal, skips }: OpenedSource,
  path: string,
  { limits, signal }: Pick<InstallContext, 'limits' | 'signal'>,
  keep: (bytes: Buffer) => Promise<string>,
): Promise<SkillContent> {
  const isRoot = path === ''
  return readSkill(store, isRoot ? root : `${root}/${path}`, {
    limits,
    top,
    isLocal,
    skips: isRoot ? skips : [],
    endsAtSkills: isRoot,
    signal,
    keep,
  })
}
