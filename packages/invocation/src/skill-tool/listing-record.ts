import { shownName, type CatalogEntry } from '@skills/core'
import { oneLine } from './one-line.js'
import type { Skills } from '@skills/core'
import type { Session } from '../session/session.js'
import { ownerOf, ownersIn } from './listings.js'
import type { Listing } from './formatter.js'

/** Message with the skills that are new to an agent, and those that no longer exist. */
export interface SkillListing {
  readonly type: 'skill_listing'
  /** Lines of skills that it does not know yet, then the names of those that are gone. */
  readonly content: string
  /** Number of new skills. */
  readonly skillCount: number
  /** True if it knew of no skill before. */
  readonly isInitial: boolean
  /** Names of skills that are gone. */
  readonly removed: readonly string[]
}

interface Told {
  readonly names: Set<string>
  /** Skill that each name was sent for. Not stored, so that a name of a resumed conversation has none. */
  readonly owners: Map<string, string>
  /** Listing that was looked at last. The same object has nothing new. */
  listing?: Listing
}

/**
 * Remembers which names each agent was sent, and for which skills, so that an agent gets each skill once. See
 * docs/reference/listing.md, "The reminder".
 */
export class ListingRecord {
  readonly #agents = new Map<string, Told>()
  readonly #session: Session | undefined
  readonly #stop: (() => void) | undefined

  /**
   * @param skills engine whose `compact:after` resets an agent: its conversation was shortened, so it knows of no skill
   * any more
   * @param session session that keeps the names with the rest of the conversation. Default: they are kept here
   */
  constructor(skills?: Pick<Skills, 'hook'>, session?: Session) {
    this.#session = session
    this.#stop = skills?.hook('compact:after', ({ agentId, sessionId }) => {
      if (sessionId === session?.key) this.reset(agentId)
    })
  }

  /** Stops listening to the engine. */
  stop(): void {
    this.#stop?.()
  }

  /**
   * Returns the news of a listing for an agent, and records it as sent. Returns undefined if nothing is new.
   * @param agentId undefined for the main conversation
   */
  next(listing: Listing, agentId?: string): SkillListing | undefined {
    const told = this.#of(agentId)
    if (told.listing === listing) return undefined
    told.listing = listing
    const { names, owners } = told
    const isInitial = names.size === 0
    const now = ownersIn(listing)
    const fresh = listing.entries.filter(({ name }) => !names.has(name) || isOther(owners.get(name), now.get(name)))
    const owning = new Set(now.values())
    const missing = goneFrom(listing, names)
    // A skill that is told under another name instead is not gone.
    const removed = missing.filter(name => !owning.has(owners.get(name) ?? ''))
    for (const { name } of fresh) names.add(name)
    for (const { name } of listing.entries) owners.set(name, now.get(name) ?? '')
    for (const name of missing) [names, owners].forEach(known => known.delete(name))
    // A listing without entries may still have a line that says what was left out.
    const lines = isInitial ? listing.text : fresh.map(({ text }) => text).join('\n')
    const gone =
      removed.length === 0
        ? ''
        : ['No longer available:', ...removed.map(name => `- ${oneLine(shownName(name))}`)].join('\n')
    const content = [lines, gone].filter(part => part !== '').join('\n\n')
    return content === '' ? undefined : { type: 'skill_listing', content, skillCount: fresh.length, isInitial, removed }
  }

  /**
   * True if an agent was sent the name of this entry for another skill, and was not sent this one since. The agent does
   * not know what it would invoke.
   */
  isUntold(entry: CatalogEntry, agentId?: string): boolean {
    return isOther(this.#agents.get(agentId ?? '')?.owners.get(entry.name), ownerOf(entry))
  }

  /** Forgets what an agent was sent, after its conversation was compacted. */
  reset(agentId?: string): void {
    this.#agents.delete(agentId ?? '')
    this.#session?.sentTo(agentId).clear()
  }

  /** Returns the names that an agent was sent, to save with its conversation. */
  sent(agentId?: string): readonly string[] {
    return [...(this.#session?.sentTo(agentId) ?? this.#agents.get(agentId ?? '')?.names ?? [])]
  }

  /** Sets the names that an agent was sent, when a conversation is resumed. */
  restore(names: Iterable<string>, agentId?: string): void {
    this.reset(agentId)
    const told = this.#of(agentId)
    for (const name of names) told.names.add(name)
  }

  #of(agentId = ''): Told {
    const known = this.#agents.get(agentId)
    if (known !== undefined) return known
    const told: Told = { names: this.#session?.sentTo(agentId) ?? new Set(), owners: new Map() }
    this.#agents.set(agentId, told)
    return told
  }
}

/** True if two owners are known and differ. */
function isOther(told: string | undefined, now: string | undefined): boolean {
  return told !== undefined && told !== '' && now !== undefined && told !== now
}

/** Returns the names that a listing no longer has. A name that was only left out for lack of space is not gone. */
function goneFrom({ entries, omitted, shortlist }: Listing, names: ReadonlySet<string>): readonly string[] {
  // A shortlist does not name the skills of large sources that it leaves out, so that one of them looks gone.
  if (names.size === 0 || (shortlist?.beyond ?? 0) > 0) return []
  const missing = new Set(names)
  for (const { name } of entries) missing.delete(name)
  // Thousands may have been left out. They are searched only for missing names, and only until all are found.
  for (let at = 0; missing.size > 0 && at < omitted.length; at++) missing.delete(omitted[at] ?? '')
  return [...missing]
}
