import { parseHead } from '@skills/skill-md'
import { bodyFeatures } from './body-features.js'
import type { StoreAnswer } from '@skills/store'
import type { OneMoment } from './one-moment.js'

/** What a file asks of an agent, whichever reads it. */
export interface SkillFacts {
  /** Its frontmatter as this project reads it; empty where it cannot. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Whether strict YAML would not give these fields. */
  readonly isRepaired: boolean
  /** What its body asks for, as `$ARGUMENTS`. */
  readonly features: readonly string[]
  /** Its body, where that may embed commands. */
  readonly template: string | undefined
}

/** Bytes of the largest file that is looked at whole. */
const maxBytes = 1024 * 1024

const unreadable: SkillFacts = { fields: {}, isRepaired: false, features: [], template: undefined }

/** The bytes of a skill's file. Undefined where it is gone or too large. */
export function readBytes(path: string, reads: OneMoment, signal: AbortSignal): StoreAnswer<Buffer | undefined> {
  return reads.bytes(path, maxBytes, signal)
}

export async function factsOf(path: string, reads: OneMoment, signal: AbortSignal): Promise<SkillFacts> {
  const bytes = await readBytes(path, reads, signal)
  const parsed = bytes === undefined ? { ok: false as const } : await parseHead(bytes, { whole: true })
  if (bytes === undefined || !('ok' in parsed) || !parsed.ok) return unreadable
  const { data: fields, bodyStart } = parsed
  const isRepaired = parsed.repaired !== undefined
  // Nearly all have none of it.
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
