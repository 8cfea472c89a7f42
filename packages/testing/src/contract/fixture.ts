import type { ContractOptions } from './check.js'
import type { Host, Kind, KindDefinition, MaybePromise, Plugin, Provider } from '@skills/core'

/**
 * A skill as the suite wants it stored. All three are plain text that every format can hold; the body is longer than a
 * line.
 */
export interface SampleSkill {
  /** What it is invoked by: ASCII letters, digits and hyphens. */
  readonly name: string
  readonly description: string
  readonly body: string
}

/** Where the mistake of a broken skill is, as its diagnostic has to say. What is left out is not asked for. */
export interface BrokenPlace {
  /** Absolute, forward slashes. */
  readonly path?: string
  /** From 1. */
  readonly line?: number
}

/** What has been read of a store since the counter was made, by any reader: the store itself counts. */
export interface ReadCounter {
  /** Times that anything was asked of the store: a file opened, a folder listed, a query run. */
  readonly reads: number
  /** Bytes of skills that were read, bodies above all. */
  readonly bytes: number
  stop(): void
}

/** An entry whose reading never ends. */
export interface EndlessEntry {
  /** Whether a reader waited for its end and had to be freed. */
  readonly wasHeld: boolean
  /** Takes the entry away, and frees the readers that still wait for it. */
  remove(): MaybePromise<void>
}

/**
 * The store that a source reads, in the hands of the suite. What a store cannot do it leaves out, and the contract is
 * told why in `without`. See docs/reference/sources.md, "The contract of a source".
 */
export interface SkillStore {
  /** Adds skills in this order; one whose name is there already is replaced. There may be 2,000 at once. */
  put(skills: readonly SampleSkill[]): MaybePromise<void>
  /** Removes a skill that is there. */
  remove(name: string): MaybePromise<void>
  /** Stores something under a name that is no skill; gives where its mistake is. */
  putBroken?(name: string): MaybePromise<BrokenPlace>
  /** Makes one skill that is there unreadable: its folder, its row, its page. */
  deny?(name: string): MaybePromise<void>
  /** Makes the whole store unreadable; gives what makes it readable again, with all that it held. */
  shut?(): MaybePromise<() => MaybePromise<void>>
  /** Stores something under a name whose reading never ends, such as a pipe without a writer. */
  putEndless?(name: string): MaybePromise<EndlessEntry>
  /** Makes every read of the store wait; gives what lets them go on. */
  stall?(): MaybePromise<() => MaybePromise<void>>
  /** Begins to count what is read of the store. */
  countReads?(): ReadCounter
  /** The path by which `refresh` and `invalidate` know a skill, absolute. */
  pathOf?(name: string): string
}

/** What a store can do beyond holding skills. */
export type StoreAbility = Exclude<keyof SkillStore, 'put' | 'remove'>

/**
 * What a source may do without: an ability of its store; `refresh`, since it lists anew each time; `identity`, since
 * its commands have neither `file` nor `digest`; `turns`, since it answers at once however much there is, without a
 * turn of the event loop.
 */
export type Lack = StoreAbility | 'refresh' | 'identity' | 'turns'

/** What a provider under test takes to be set up, and to be cleaned up after. */
export interface Surroundings {
  /** What it has to know of the machine. Default: `fakeHost()`. */
  readonly host?: Partial<Host>
  /** Providers of other kinds that it needs, with the definitions of those kinds. */
  readonly plugins?: readonly Plugin[]
  readonly kinds?: readonly KindDefinition[]
  /** Called once when the case is over, after every engine is closed. */
  dispose?(): MaybePromise<void>
}

/** A source over an empty store that only this fixture uses. */
export interface SourceFixture extends Surroundings {
  readonly provider: Provider<'source'> | Provider<'source', Kind>
  readonly store: SkillStore
  /** What the skill that is stored as `name` is invoked by, if that is something else. */
  nameOf?(name: string): string
}

/** Makes a fixture; called anew for every case, and twice where a rule is about two stores. */
export type MakeFixture = () => MaybePromise<SourceFixture>

export type SourceContractOptions = ContractOptions<Lack>
