import type { SkillsError } from '@skills/core'
import { parseHead } from '@skills/skill-md'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot } from '@skills/state/writer'
import { chosenSkills } from './chosen-skills.js'
import type { FoundSkill } from './skill-files.js'
import { powersOf, type Powers } from './powers.js'
import { readIntoCache } from './read-into-cache.js'
import { isRefused } from './error.js'
import type { InstallContext } from './context.js'

/** Skill of a source, read and not installed. */
export interface OfferedSkill extends FoundSkill {
  readonly description: string
  readonly powers: Powers
  /** Absolute path of its folder, in a project of its own that exists until the source is closed. */
  readonly folder: string
}

/** Skills that a source has, and those that could not be installed, each with the reason. */
export interface Offer {
  readonly skills: readonly OfferedSkill[]
  readonly refused: readonly (FoundSkill & { readonly error: SkillsError })[]
}

/**
 * Reads the skills of a source into a temporary folder, passes them to `use`, and removes the folder. Installs nothing
 * and runs no part of a skill.
 * @param names names or paths of skills; none: all
 * @throws SkillsError, and the errors of stores
 */
export async function withOffered<T>(
  text: string,
  names: readonly string[],
  context: InstallContext,
  use: (offer: Offer) => Promise<T>,
): Promise<T> {
  const { signal, onProgress, cache } = context
  const { opened, chosen } = await chosenSkills(text, names, context)
  const own = temporaryRoot('skills-offered.')
  try {
    const skills: OfferedSkill[] = []
    const refused: Offer['refused'][number][] = []
    for (const [at, one] of chosen.entries()) {
      onProgress?.({ what: `Reading ${text}`, done: at, total: chosen.length, unit: 'skills' })
      try {
        const { files } = await readIntoCache(opened, one.path, context)
        // A project of its own, so that a host can be pointed to it.
        own.makeFolder(`${at}/.git`)
        const below = `${at}/.agents/skills/${one.name}`
        let description = ''
        for (const [path, entry] of Object.entries(files)) {
          const bytes = await cache.get(entry.slice(0, 64))
          if (bytes === undefined) continue
          const file = `${below}/${path}`
          own.makeFolder(file.slice(0, file.lastIndexOf('/')))
          own.create(file, bytes)
          if (/^skill\.md$/i.test(path)) description = await descriptionIn(bytes)
        }
        const folder = `${own.path}/${below}`
        skills.push({ ...one, description, powers: await powersOf(folder, { signal }), folder })
      } catch (error) {
        if (!isRefused(error)) throw error
        refused.push({ ...one, error })
      }
    }
    onProgress?.()
    return await use({ skills, refused })
  } finally {
    removeTemporary(own)
    await opened.close()
  }
}

/** Returns the description in a skill's file; empty without one. */
export async function descriptionIn(bytes: Buffer): Promise<string> {
  const head = await parseHead(bytes, { whole: true })
  const description = 'needMore' in head || !head.ok ? undefined : head.data['description']
  return typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : ''
}
