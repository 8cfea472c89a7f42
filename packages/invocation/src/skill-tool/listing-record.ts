import { shownName } from '@skills/core'
import { oneLine } from './one-line.js'
import type { Skills } from '@skills/core'
import type { Session } from '../session/session.js'
import type { Listing } from './formatter.js'

/** What an agent is to be told of the skills there are now. */
export interface SkillListing {
  readonly type: 'skill_listing'
  /** The lines of skills it does not know yet, then those that went away. */
  readonly content: string
  /** How many are new. */
  readonly skillCount: number
  /** Whether it knew of none before. */
  readonly isInitial: boolean
  /** Names that went away. */
  readonly removed: readonly string[]
}

interface Told {
  readonly names: Set<string>
  /** What was looked at last: the very same has nothing new. */
  listing?: Listing
}

/**
 * Remembers which names each agent was sent, so that it hears of each once. See
 * docs/reference/listing.md, "The reminder".
 */
export class ListingRecord {
  readonly #agents = new Map<string, Told>()
  readonly #session: Session | undefined
  readonly #stop: (() => void) | undefined

  /**
   * @param skills an engine whose host tells when it shortened a conversation (`compact:after`): the agent then knows
   *   of none
   * @param session which keeps the names with the rest of the conversation. Default: they are kept here
   */
  constructor(skills?: Pick<Skills, 'hook'>, session?: Session) {
    this.#session = session
    this.#stop = skills?.hook('compact:after', ({ agentId, sessionId }) => {
      if (sessionId === session?.key) this.reset(agentId)
    })
  }

  /** Listens to its engine no more. */
  stop(): void {
    this.#stop?.()
  }

  /**
   * What of a listing is news to an agent; undefined when nothing is. It counts as sent.
   * @param agentId undefined for the main conversation
   */
  next(listing: Listing, agentId?: string): SkillListing | undefined {
    const told = this.#of(agentId)
    if (told.listing === listing) return undefined
    told.listing = listing
    const { names } = told
    const isInitial = names.size === 0
    const fresh = listing.entries.filter(({ name }) => !names.has(name))
    const removed = goneFrom(listing, names)
    for (const { name } of fresh) names.add(name)
    for (const name of removed) names.delete(name)
    // Without a single line there may still be one that says what was left out.
    const lines = isInitial ? listing.text : fresh.map(({ text }) => text).join('\n')
    const gone =
      removed.length === 0
        ? ''
        : ['No longer available:', ...removed.map(name => `- ${oneLine(shownName(name))}`)].join('\n')
    const content = [lines, gone].filter(part => part !== '').join('\n\n')
    return content === '' ? undefined : { type: 'skill_listing', content, skillCount: fresh.length, isInitial, removed }
  }

  /** After a conversation was compacted: the agent knows of none. */
  reset(agentId?: string): void {
    this.#agents.delete(agentId ?? '')
    this.#session?.sentTo(agentId).clear()
  }

  /** What an agent was sent, to be written down with its conversation. */
  sent(agentId?: string): readonly string[] {
    return [...(this.#session?.sentTo(agentId) ?? this.#agents.get(agentId ?? '')?.names ?? [])]
  }

  /** When a conversation is taken up again: the agent has been sent these. */
  restore(names: Iterable<string>, agentId?: string): void {
    this.reset(agentId)
    const told = this.#of(agentId)
    for (const name of names) told.names.add(name)
  }

  #of(agentId = ''): Told {
    const known = this.#agents.get(agentId)
    if (known !== undefined) return known
    const told: Told = { names: this.#session?.sentTo(agentId) ?? new Set() }
    this.#agents.set(agentId, told)
    return told
  }
}

/** Which of the names a listing does not know of. One that has no room at the moment is still there. */
function goneFrom({ entries, omitted }: Listing, names: ReadonlySet<string>): readonly string[] {
  if (names.size === 0) return []
  const missing = new Set(names)
  for (const { name } of entries) missing.delete(name)
  // There may be thousands without room: they are looked through for what is missing alone, and only until it is found.
  for (let at = 0; missing.size > 0 && at < omitted.length; at++) missing.delete(omitted[at] ?? '')
  return [...missing]
}
