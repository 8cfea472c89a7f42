import type { Host, Kind, MaybePromise, Provider } from '@skills/core'
import type { ContractOptions } from '../contract/check.js'
import type { SampleSkill, Surroundings } from '../contract/fixture.js'

/** Answers that are held back. */
export interface Delay {
  /** Resolves when a client waits for one of them: for a connection, or for what it asked. */
  readonly asked: Promise<void>
  /** Lets them go, and all that come later. */
  release(): MaybePromise<void>
}

/** A server in the hands of the suite. It does not run at first. */
export interface Remote {
  /**
   * What it has besides from now on, running or not; one of the same name is replaced. Clients that listen are told, if
   * it can tell.
   */
  put(skills: readonly SampleSkill[]): MaybePromise<void>
  remove(name: string): MaybePromise<void>
  /** Makes it run, with all that it has: from now on it can be reached. */
  start(): MaybePromise<void>
  /**
   * Makes it end at once, in the middle of a request: connections break, also those on their way, and answers that were
   * due never come, held back or not.
   */
  stop(): MaybePromise<void>
  /** Holds every answer back from now on, also that to a client that connects. */
  delay(): MaybePromise<Delay>
  /** Makes it answer with what is none until what it gives is called. */
  garble?(): MaybePromise<() => MaybePromise<void>>
  /** Connections that are open, or processes that run, at this moment. */
  connections?(): MaybePromise<number>
}

/**
 * What a source of a server may do without: `garble` and `connections`, which its server cannot do; `push`, since the
 * server does not tell of changes; `blocks`, since what the server sends is meant to be expanded.
 */
export type RemoteLack = 'garble' | 'connections' | 'push' | 'blocks'

/** A source and the server that it asks, which only this fixture uses. */
export interface RemoteFixture extends Surroundings {
  readonly provider: Provider<'source'> | Provider<'source', Kind>
  readonly remote: Remote
  /** What the source has to know of the machine besides the clock, which is the suite's. */
  readonly host?: Partial<Omit<Host, 'clock'>>
  /** What the skill that the server has as `name` is invoked by, such as `mcp__server__name`. Default: the name. */
  nameOf?(name: string): string
}

/** Makes a fixture; called anew for every case. */
export type MakeRemote = () => MaybePromise<RemoteFixture>

export interface RemoteSourceContractOptions extends ContractOptions<RemoteLack> {
  /** Milliseconds of the source's clock that it may wait for a server before it lists what it has. Default 2,000. */
  readonly graceMs?: number
  /**
   * How many milliseconds pass on the source's clock in one of the machine's. Default 4: attempts follow each other
   * faster, and limits are over sooner.
   */
  readonly pace?: number
}
