import {
  reasonsOf,
  type AskOptions,
  type Catalog,
  type CatalogEntry,
  type Command,
  type Reason,
  type Skills,
} from '@skills/core'
import { Invoker, type InvokerOptions } from '../invoker.js'
import { enginePort, type EnginePortOptions } from './engine-port.js'
import { oneLine } from './one-line.js'
import type { Listing, ListingEntry } from './formatter.js'

/**
 * Part of a skill that a listing shows to the model. `whole`: all of its description; `cut`: the beginning of it;
 * `name`: its name alone; `user`: nothing, because its author or a setting keeps it for the user; `later`: nothing until
 * a file that matches its `paths` is touched; `no`: nothing.
 */
export type Told = 'whole' | 'cut' | 'name' | 'no' | 'user' | 'later'

/** Part of a skill that the model is told, with the reason and the way to change it. */
export interface ToldSkill {
  readonly told: Told
  /** Kind of the reason; undefined for `whole`. `strategy`: the listing shortens it at any budget. */
  readonly cause?: Reason['cause'] | 'strategy' | undefined
  /** UTF-16 code units of description and when-to-use that the model reads. */
  readonly chars: number
  /** UTF-16 code units of description and when-to-use, each on one line. */
  readonly of: number
  /** Sentence with the reason; undefined for `whole`. */
  readonly because?: string | undefined
  /** Sentence that says what to do if the model should be told more. */
  readonly remedy?: string | undefined
  /** File that sets this, if it is known. */
  readonly path?: string | undefined
  /** All reasons why the listing does not have it; empty if it does. */
  readonly reasons: readonly Reason[]
}

/** Engine with the rules of its distribution for a listing. */
export interface ToldEngine {
  readonly skills: Skills
  readonly distribution: {
    readonly name?: string | undefined
    readonly port: EnginePortOptions
    readonly invoker?: InvokerOptions | undefined
  }
}

export interface ToldCall extends AskOptions {
  /** Tokens of the model's context window; undefined if unknown. */
  readonly contextWindow?: number | undefined
}

/** Makes the listing that a model gets of an engine's skills. */
export function listingFor(
  { skills, distribution: { port, invoker } }: ToldEngine,
  { contextWindow, signal }: ToldCall,
): Promise<Listing> {
  const engine = enginePort(skills, { ...port, ...(invoker && { invoker: new Invoker(skills, invoker) }) })
  // A strategy that leaves out what an agent is denied always needs an agent.
  return engine.listing({ contextWindow, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) }, { signal })
}

/** Reads from the listing of a model how much the model is told of each skill. */
export class ToldSkills {
  readonly listing: Listing
  readonly #engine: ToldEngine
  readonly #signal: AbortSignal | undefined
  readonly #shown: ReadonlyMap<string, ListingEntry>
  readonly #omitted: ReadonlySet<string>

  readonly #disabled: ReadonlySet<CatalogEntry>

  private constructor(engine: ToldEngine, listing: Listing, { disabled }: Catalog, signal: AbortSignal | undefined) {
    this.#engine = engine
    this.listing = listing
    this.#disabled = new Set(disabled)
    this.#signal = signal
    this.#shown = new Map(listing.entries.map(entry => [entry.name, entry]))
    this.#omitted = new Set(listing.omitted)
  }

  /** Makes the listing. Rejects as {@link EnginePort.listing} does. */
  static async of(engine: ToldEngine, call: ToldCall = {}): Promise<ToldSkills> {
    const { signal } = call
    return new ToldSkills(engine, await listingFor(engine, call), await engine.skills.catalog({ signal }), signal)
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
    return this.#omitted.has(name) ? { told: 'no', cause: 'budget' } : undefined
  }

  /** Returns what the model is told of an entry of the catalog. */
  async told(entry: CatalogEntry): Promise<ToldSkill> {
    const known = this.known(entry)
    if (known !== undefined) return known
    const reasons = await reasonsUnder(this.#engine, entry, reasonsOf(entry), this.#signal)
    return { chars: 0, of: saidOf(entry.command).length, ...untold(entry, reasons) }
  }

  /** Returns the same if the listing and the catalog say it; undefined if a rule has to be asked for the reason. */
  known(entry: CatalogEntry): ToldSkill | undefined {
    const of = saidOf(entry.command).length
    if (this.#disabled.has(entry)) return { chars: 0, of, ...untold(entry, [disabledBecause(entry)]) }
    const shown = this.#shown.get(entry.name)
    if (shown !== undefined) return this.#shownAs(entry, shown)
    if (this.#omitted.has(entry.name)) {
      const because = `The listing leaves it out: its budget of ${this.#budget()} is used up.`
      return {
        told: 'no',
        cause: 'budget',
        chars: 0,
        of,
        because,
        remedy: roomier,
        reasons: [{ cause: 'budget', text: because }],
      }
    }
    return undefined
  }

  /** True if the listing would show more of an entry with more room. */
  #hasBudgetFor(entry: ListingEntry | undefined): boolean {
    return Number.isFinite(this.listing.budgetChars) && entry?.isCapped !== true
  }

  #shownAs({ command, override }: CatalogEntry, entry: ListingEntry): ToldSkill {
    const { shown, text } = entry
    const said = saidOf(command)
    const none = { reasons: [] }
    if (shown === 'whole') return { told: 'whole', chars: said.length, of: said.length, ...none }
    const hasBudget = this.#hasBudgetFor(entry)
    if (shown === 'cut') {
      const forms = escapes.map(escape => saidOf(command, escape))
      const [chars, of] = forms
        .map(form => [beginningIn(form, text), form.length] as const)
        .reduce((best, one) => (one[0] > best[0] ? one : best))
      return {
        told: 'cut',
        cause: hasBudget ? 'budget' : 'strategy',
        chars,
        of,
        because: `Its description is cut to ${counted(chars)} of ${counted(of)} characters${hasBudget ? `: the budget of ${this.#budget()} is shared by ${counted(this.#shown.size)} skills` : ', as this listing does at any budget'}.`,
        remedy: hasBudget ? roomier : `Say what matters in the first ${counted(chars)} characters.`,
        ...none,
      }
    }
    if (override === 'name-only')
      return {
        told: 'name',
        cause: 'override',
        chars: 0,
        of: said.length,
        because: 'Only its name is told: the configuration says name-only.',
        remedy: 'Set it to "on" there.',
        ...none,
      }
    return {
      told: 'name',
      cause: hasBudget ? 'budget' : 'strategy',
      chars: 0,
      of: said.length,
      because: hasBudget
        ? `Only its name is told: the budget of ${this.#budget()} has no room for its description.`
        : 'Only its name is told, as this listing does at any budget.',
      ...(hasBudget && { remedy: roomier }),
      ...none,
    }
  }

  #budget(): string {
    return `${counted(this.listing.budgetChars)} characters`
  }
}

const roomier = 'Shorten descriptions, give the model a larger context window, or pin this skill.'

/** Writes a number with commas. `toLocaleString` loads the data of a language first, which takes milliseconds. */
const counted = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Escapes that a listing may apply to descriptions. */
const escapes = [undefined, 'angles', 'none'] as const

/** Returns description and when-to-use as a listing says them. */
function saidOf(command: Command, escape?: Parameters<typeof oneLine>[1]): string {
  const whenToUse = command.type === 'prompt' ? (command.whenToUse ?? '') : ''
  return [command.description, whenToUse]
    .map(text => oneLine(text, escape))
    .filter(text => text !== '')
    .join(' - ')
}

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

/** Returns the reason why an entry is switched off. */
function disabledBecause({ barred, override, name }: CatalogEntry): Reason {
  if (barred !== undefined) return { cause: 'gate', text: barred }
  return override === 'off'
    ? { cause: 'override', text: `The configuration switches "${name}" off.` }
    : { cause: 'disabled', text: `"${name}" is switched off in its own file or by its source.` }
}

/**
 * Returns the reasons why a distribution's listing does not show an entry to a model.
 * @param reasons reasons under the standard rules
 */
export async function reasonsUnder(
  { skills, distribution: { name, port } }: ToldEngine,
  entry: CatalogEntry,
  reasons: readonly Reason[],
  signal: AbortSignal | undefined,
): Promise<readonly Reason[]> {
  if (port.isListed?.(entry) === false)
    return reasons.length > 0
      ? reasons
      : [
          {
            cause: 'flag',
            text: `${name ?? 'This agent'} does not list this skill for its model, because the skill does not describe what it is for.`,
          },
        ]
  // This distribution ignores flags that would keep the entry from the model elsewhere.
  const others = reasons.filter(({ cause }) => cause !== 'flag')
  if (port.leavesOutDenied === false) return others
  const { behavior, message, decisionReason } = await new Invoker(skills).decide(
    { tool: 'Skill', content: entry.name, entry, args: '', caller: 'model' },
    signal,
  )
  return behavior === 'deny'
    ? [...others, { cause: 'permission', text: message, source: decisionReason.source }]
    : others
}

/** Remedies for skills that a setting, a rule or their own file keeps from the model. */
const remedies: Partial<Record<Reason['cause'], string>> = {
  override: 'Set it to "on" there.',
  permission: 'Change this rule.',
  shadowed: 'Rename one of the two skills.',
}

/** Returns why the model is told nothing of a skill. */
export function untold(
  { command, override, dormant, barred }: Pick<CatalogEntry, 'command' | 'override' | 'dormant' | 'barred'>,
  reasons: readonly Reason[],
): Pick<ToldSkill, 'told' | 'cause' | 'because' | 'remedy' | 'reasons'> {
  const waitsFor = dormant ?? barred
  const prompt = command.type === 'prompt' ? command : undefined
  if (prompt !== undefined && prompt.paths.length > 0 && waitsFor !== undefined)
    return {
      told: 'later',
      cause: 'gate',
      because: waitsFor,
      remedy: `The model is told of it once a file that matches ${prompt.paths.join(', ')} is used.`,
      reasons,
    }
  const [first] = reasons
  const isOfAuthor = prompt?.disableModelInvocation === true && first?.cause === 'flag'
  const remedy = isOfAuthor ? 'Remove disable-model-invocation from its file.' : first && remedies[first.cause]
  return {
    told: prompt?.disableModelInvocation === true || override === 'user-only' ? 'user' : 'no',
    cause: first?.cause,
    because: first?.text ?? waitsFor ?? 'The model is not told of the skill.',
    ...(remedy !== undefined && { remedy }),
    reasons,
  }
}

/** Returns what the model is told of a command that has no name of its own in the catalog: nothing. */
export function untoldCommand(command: Command | undefined, reasons: readonly Reason[]): ToldSkill {
  const [first] = reasons
  const remedy = first && remedies[first.cause]
  return {
    told: 'no',
    cause: first?.cause,
    chars: 0,
    of: command === undefined ? 0 : saidOf(command).length,
    because: first?.text,
    ...(remedy !== undefined && { remedy }),
    reasons,
  }
}
