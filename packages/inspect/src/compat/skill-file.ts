import { parseHead } from '@skills/skill-md'
import { bodyFeatures } from './body-features.js'
import type { StoreAnswer } from '@skills/store'
import type { OneMoment } from './one-moment.js'

/** Facts of a file that do not depend on the agent. */
export interface SkillFacts {
  /** Frontmatter as this project reads it; empty if it cannot be read. */
  readonly fields: Readonly<Record<string, unknown>>
  /** True if strict YAML gives other fields. */
  readonly isRepaired: boolean
  /** Features that its body uses, such as `$ARGUMENTS`. */
  readonly features: readonly string[]
  /** Body, if it may embed commands. */
  readonly template: string | undefined
}

/** Largest file in bytes that is read whole. */
const maxBytes = 1024 * 1024

const unreadable: SkillFacts = { fields: {}, isRepaired: false, features: [], template: undefined }

/** Returns the bytes of a skill's file, or undefined if the file no longer exists or is too large. */
export function readBytes(path: string, reads: OneMoment, signal: AbortSignal): StoreAnswer<Buffer | undefined> {
  return reads.bytes(path, maxBytes, signal)
}

export async function factsOf(path: string, reads: OneMoment, signal: AbortSignal): Promise<SkillFacts> {
  const bytes = await readBytes(path, reads, signal)
  const parsed = bytes === undefined ? { ok: false as const } : await parseHead(bytes, { whole: true })
  if (bytes === undefined || !('ok' in parsed) || !parsed.ok) return unreadable
  const { data: fields, bodyStart } = parsed
  const isRepaired = parsed.repaired !== undefined
  // Nearly all files contain none of these.
  if (!['$', '{', '!`', '```!'].some(sign => bytes.includes(sign, bodyStart)))
    return { fields, isRepaired, features: [], template: undefined }
  const body = bytes.toString('utf8', bodyStart)
  return {
    fields,
    isRepaired,
    features: bodyFeatures.filter(one => one.pattern.test(body)).map(({ name }) => name),
    template: body.includes('!`') || body.includes('```!') ? body : undefined,
  }
}
