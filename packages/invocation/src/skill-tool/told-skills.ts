import { reasonsOf, type AskOptions, type Catalog, type CatalogEntry } from '@skills/core'
import { Invoker } from '../invoker.js'
import { descriptionOf } from './description-of.js'
import { enginePort } from './engine-port.js'
import { disabledBecause, reasonsUnder, untold } from './untold.js'
import type { Listing, ListingEntry } from './formatter.js'
import type { ToldEngine, ToldSkill } from './told-skill.js'

export interface ToldCall extends AskOptions {
  /** Tokens of the model's context window; undefined if unknown. */
  readonly contextWindow?: number | undefined
  /** As the listing has them: `ListingContext.messages`. */
  readonly messages?: readonly string[] | undefined
}

/** Makes the listing that a model gets of an engine's skills. */
export function listingFor(
  { skills, distribution: { port, invoker, ofProgram } }: ToldEngine,
  { contextWindow, messages, signal }: ToldCall,
): Promise<Listing> {
  const engine = enginePort(skills, { ...port, ...(invoker && { invoker: new Invoker(skills, invoker) }) })
  // A strategy that leaves out what an agent is denied always needs an agent.
  return engine.listing(
    { contextWindow, messages, own: ofProgram?.own, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) },
    { signal },
  )
}

/** Reads from the listing of a model how much the model is told of each skill. */
export class ToldSkills {
  readonly listing: Listing
  readonly #engine: ToldEngine
  readonly #signal: AbortSignal | undefined
  readonly #shown: ReadonlyMap<string, ListingEntry>
  readonly #omitted: ReadonlySet<string>
  /** Names of skills for which a shortlist has no place. */
  readonly #left: ReadonlySet<string>
  readonly #disabled: ReadonlySet<CatalogEntry>

  private constructor(engine: ToldEngine, listing: Listing, { disabled }: Catalog, signal: AbortSignal | undefined) {
    this.#engine = engine
    this.listing = listing
    this.#disabled = new Set(disabled)
    this.#signal = signal
    this.#shown = new Map(listing.entries.map(entry => [entry.name, entry]))
    this.#omitted = new Set(listing.omitted)
    this.#left = new Set(listing.shortlist?.left)
  }

  /** Makes the listing. Rejects as {@link EnginePort.listing} does. */
  static async of(engine: ToldEngine, call: ToldCall = {}): Promise<ToldSkills> {
    const { signal } = call
    const listing = await listingFor(engine, call)
    const isSilent = engine.distribution.ofProgram?.tellsNothing !== undefined
    return new ToldSkills(
      engine,
      isSilent ? withoutText(listing) : listing,
      await engine.skills.catalog({ signal }),
      signal,
    )
  }

  /** True if the listing has the entry, or would have it if it had more room. */
  isCandidate({ name }: CatalogEntry): boolean {
    return this.#shown.has(name) || this.#omitted.has(name)
  }

  /** Returns which part of an entry the listing has, without a reason; undefined for an entry that is no candidate. */
  partOf({ name, override }: CatalogEntry): Pick<ToldSkill, 'told' | 'cause'> | undefined {
    const entry = this.#shown.get(name)
    const shown = entry?.shown
    if (shown === 'whole') return { told: 'whole' }
    if (shown === 'name' && override === 'name-only') return { told: 'name', cause: 'override' }
    if (shown !== undefined) return { told: shown, cause: this.#hasBudgetFor(entry) ? 'budget' : 'strategy' }
    if (!this.#omitted.has(name)) return undefined
    const isChosen = this.#tellsNothing === undefined && !this.#left.has(name)
    return { told: 'no', cause: isChosen ? 'budget' : 'strategy' }
  }

  /** Returns what the model is told of an entry of the catalog. */
  async told(entry: CatalogEntry): Promise<ToldSkill> {
    const known = this.known(entry)
    if (known !== undefined) return known
    const reasons = await reasonsUnder(this.#engine, entry, reasonsOf(entry), this.#signal)
    return { chars: 0, of: descriptionOf(entry.command).length, ...untold(entry, reasons) }
  }

  /** Returns the same if the listing and the catalog say it; undefined if a rule has to be asked for the reason. */
  known(entry: CatalogEntry): ToldSkill | undefined {
    if (this.#disabled.has(entry)) {
      const of = descriptionOf(entry.command).length
      return { chars: 0, of, ...untold(entry, [disabledBecause(entry)]) }
    }
    const part = this.partOf(entry)
    return part && this.#explained(entry, part)
  }

  /** True if the listing would show more of an entry with more room. */
  #hasBudgetFor(entry: ListingEntry | undefined): boolean {
    return Number.isFinite(this.listing.budgetChars) && entry?.isCapped !== true
  }

  /** Adds the numbers and the sentences to the part of an entry that the listing has. */
  #explained({ command, name }: CatalogEntry, part: Pick<ToldSkill, 'told' | 'cause'>): ToldSkill {
    const of = descriptionOf(command).length
    if (part.told === 'whole') return { ...part, chars: of, of, reasons: [] }
    const hasBudget = part.cause === 'budget'
    if (part.told === 'cut') {
      const text = this.#shown.get(name)?.text ?? ''
      const [chars, all] = escapes
        .map(escape => descriptionOf(command, escape))
        .map(form => [beginningIn(form, text), form.length] as const)
        .reduce((best, one) => (one[0] > best[0] ? one : best))
      return {
        ...part,
        chars,
        of: all,
        because: `Its description is cut to ${counted(chars)} of ${counted(all)} characters${hasBudget ? `: the budget of ${this.#budget()} is shared by ${counted(this.#shown.size)} skills` : ', as this listing does at any budget'}.`,
        remedy: hasBudget ? roomier : `Say what matters in the first ${counted(chars)} characters.`,
        reasons: [],
      }
    }
    const none = { ...part, chars: 0, of }
    if (part.cause === 'strategy' && this.#tellsNothing !== undefined)
      return { ...none, because: this.#tellsNothing, reasons: [] }
    if (part.told === 'no' && part.cause === 'strategy') {
      const because = `The listing has the ${counted(this.listing.shortlist?.most ?? 0)} skills that fit the conversation best, and this is none of them.`
      return {
        ...none,
        because,
        remedy: 'Pin the skill, or give its description the words in which people ask for it.',
        reasons: [],
      }
    }
    if (part.told === 'no') {
      const because = `The listing leaves it out: its budget of ${this.#budget()} is used up.`
      return { ...none, because, remedy: roomier, reasons: [{ cause: 'budget', text: because }] }
    }
    if (part.cause === 'override')
      return {
        ...none,
        because: 'Only its name is told: the configuration says name-only.',
        remedy: 'Set it to "on" there.',
        reasons: [],
      }
    return {
      ...none,
      because: hasBudget
        ? `Only its name is told: the budget of ${this.#budget()} has no room for its description.`
        : 'Only its name is told, as this listing does at any budget.',
      ...(hasBudget && { remedy: roomier }),
      reasons: [],
    }
  }

  get #tellsNothing(): string | undefined {
    return this.#engine.distribution.ofProgram?.tellsNothing
  }

  #budget(): string {
    const { own = [] } = this.#engine.distribution.ofProgram ?? {}
    const left = `${counted(this.listing.budgetChars)} characters`
    return own.length === 0 ? left : `${left} that the program's own skills leave`
  }
}

/** Returns the listing of a program that tells its model of no skill: every skill is left out. */
function withoutText({ entries, omitted, ...listing }: Listing): Listing {
  return {
    ...listing,
    text: '',
    entries: [],
    omitted: [...entries.map(({ name }) => name), ...omitted],
    truncated: [],
    usedChars: 0,
  }
}

const roomier = 'Shorten descriptions, give the model a larger context window, or pin this skill.'

/** Writes a number with commas. `toLocaleString` loads the data of a language first, which takes milliseconds. */
const counted = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Escapes that a listing may apply to descriptions. */
const escapes = [undefined, 'angles', 'none'] as const

/** Returns the length of the longest beginning of `text` that `other` contains. */
function beginningIn(text: string, other: string): number {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (other.includes(text.slice(0, middle))) least = middle
    else most = middle - 1
  }
  return least
}
