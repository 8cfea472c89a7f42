import type { ContractOptions } from './check.js'
import type { Host, Kind, KindDefinition, MaybePromise, Plugin, Provider } from '@skills/core'

/**
 * Skill that the suite puts into a store. All three fields are plain text that any format can hold. The body has more
 * than one line.
 */
export interface SampleSkill {
  /** Name by which it is invoked: ASCII letters, digits and hyphens. */
  readonly name: string
  readonly description: string
  readonly body: string
}

/** Position that the diagnostic of a broken skill has to give. A field that is left out is not checked. */
export interface BrokenPlace {
  /** Absolute path with forward slashes. */
  readonly path?: string
  /** Line, counted from 1. */
  readonly line?: number
}

/** Counts the reads of a store since the counter was made. Reads by the store itself are included. */
export interface ReadCounter {
  /** Number of requests to the store: a file opened, a folder listed, a query run. */
  readonly reads: number
  /** Bytes of skills that were read, mainly bodies. */
  readonly bytes: number
  stop(): void
}

/** Entry whose read never ends. */
export interface EndlessEntry {
  /** True if a reader was blocked by it and had to be freed. */
  readonly wasHeld: boolean
  /** Removes the entry and frees the readers that still wait for it. */
  remove(): MaybePromise<void>
}

/**
 * Store that a source reads, controlled by the suite. Leave out a method that the store cannot offer, and give the
 * reason in `without`. See docs/reference/sources.md, "The contract of a source".
 */
export interface SkillStore {
  /** Adds skills in this order, up to 2,000 at once. A skill whose name exists is replaced. */
  put(skills: readonly SampleSkill[]): MaybePromise<void>
  /** Removes an existing skill. */
  remove(name: string): MaybePromise<void>
  /** Stores an invalid skill under a name and returns where its mistake is. */
  putBroken?(name: string): MaybePromise<BrokenPlace>
  /** Makes one existing skill unreadable: its folder, its row, its page. */
  deny?(name: string): MaybePromise<void>
  /** Makes the whole store unreadable. Returns a function that makes it readable again, with its content unchanged. */
  shut?(): MaybePromise<() => MaybePromise<void>>
  /** Stores an entry whose read never ends, such as a pipe without a writer. */
  putEndless?(name: string): MaybePromise<EndlessEntry>
  /** Makes every read of the store wait. Returns a function that releases them. */
  stall?(): MaybePromise<() => MaybePromise<void>>
  /** Starts to count reads of the store. */
  countReads?(): ReadCounter
  /** Returns the absolute path by which `refresh` and `invalidate` identify a skill. */
  pathOf?(name: string): string
}

/** Optional methods of a store. */
export type StoreAbility = Exclude<keyof SkillStore, 'put' | 'remove'>

/**
 * Abilities that a source may lack: the abilities of its store; `refresh`, if the source lists everything each time;
 * `identity`, if its commands have neither `file` nor `digest`; `turns`, if the source answers within one turn of the
 * event loop, regardless of the number of skills.
 */
export type Lack = StoreAbility | 'refresh' | 'identity' | 'turns'

/** Values that a provider under test needs for its set-up and clean-up. */
export interface Surroundings {
  /** Values of the host that the provider reads. Default: `fakeHost()`. */
  readonly host?: Partial<Host>
  /** Providers of other kinds that it needs, with the definitions of their kinds. */
  readonly plugins?: readonly Plugin[]
  readonly kinds?: readonly KindDefinition[]
  /** Called once after the case, when every engine is closed. */
  dispose?(): MaybePromise<void>
}

/** Source over an empty store. No other fixture uses this store. */
export interface SourceFixture extends Surroundings {
  readonly provider: Provider<'source'> | Provider<'source', Kind>
  readonly store: SkillStore
  /** Returns the name by which the skill stored as `name` is invoked. Default: the same name. */
  nameOf?(name: string): string
}

/** Makes a fixture. Called once a case, and twice if a rule needs two stores. */
export type MakeFixture = () => MaybePromise<SourceFixture>

export type SourceContractOptions = ContractOptions<Lack>
