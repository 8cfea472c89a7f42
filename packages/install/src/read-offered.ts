import { chosenSkills } from './chosen-skills.js'
import { isRefused } from './error.js'
import { readFrom } from './read-into-cache.js'
import { sha256 } from './content-cache.js'
import type { InstallContext } from './context.js'
import type { Resolved } from './resolution.js'
import type { FoundSkill } from './skill-files.js'

/** Skill of a source with its files in memory, or the reason why it cannot be installed. */
export type OfferedFiles = FoundSkill &
  (
    | { readonly error: Error }
    | {
        /** Digest of all files, `sha256:` and 64 hexadecimal digits. */
        readonly digest: string
        readonly files: readonly SkillBytes[]
      }
  )

export interface SkillBytes {
  /** Path below the skill's folder, with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

/** Skills of an open source. */
export interface OfferReading {
  readonly total: number
  readonly resolved: Resolved
  /** Reads one skill after the other. */
  readonly skills: AsyncIterable<OfferedFiles>
}

/**
 * Opens a source and passes its skills to `use`, which reads as many of them as it wants. Writes and runs no part of a
 * skill.
 * @param names names or paths of skills; none: all
 * @throws SkillsError, and the errors of stores
 */
export async function readOffered<T>(
  text: string,
  names: readonly string[],
  context: InstallContext,
  use: (reading: OfferReading) => Promise<T>,
): Promise<T> {
  const { opened, chosen } = await chosenSkills(text, names, context)
  async function* skills(): AsyncGenerator<OfferedFiles> {
    for (const one of chosen)
      try {
        const bytes = new Map<string, Uint8Array>()
        const { files, digest } = await readFrom(opened, one.path, context, async content => {
          const own = sha256(content)
          bytes.set(own, content)
          return own
        })
        yield {
          ...one,
          digest,
          files: Object.entries(files).map(([path, entry]) => ({
            path,
            bytes: bytes.get(entry.slice(0, 64)) ?? Buffer.alloc(0),
            isExecutable: entry.endsWith(' x'),
          })),
        }
      } catch (error) {
        if (!isRefused(error)) throw error
        yield { ...one, error }
      }
  }
  try {
    return await use({ total: chosen.length, resolved: opened.resolved, skills: skills() })
  } finally {
    await opened.close()
  }
}
