import type { Host, Kind, MaybePromise, Provider } from '@skills/core'
import type { ContractOptions } from '../contract/check.js'
import type { SampleSkill, Surroundings } from '../contract/fixture.js'

/** Answers that the server holds back. */
export interface Delay {
  /** Resolves when a client waits for one of the answers, such as for a connection. */
  readonly asked: Promise<void>
  /** Sends the held answers and lets later ones through. */
  release(): MaybePromise<void>
}

/** Server that the suite controls. At first the server is stopped. */
export interface Remote {
  /**
   * Adds skills, whether the server runs or not. A skill of the same name is replaced. A server that can push notifies
   * its clients.
   */
  put(skills: readonly SampleSkill[]): MaybePromise<void>
  remove(name: string): MaybePromise<void>
  /** Starts the server with all its skills. */
  start(): MaybePromise<void>
  /**
   * Stops the server at once, even in the middle of a request. Connections break, also those being made, and pending
   * answers are never sent.
   */
  stop(): MaybePromise<void>
  /** Holds every later answer back, also the one to a client that connects. */
  delay(): MaybePromise<Delay>
  /** Makes the server send invalid answers until the returned function is called. */
  garble?(): MaybePromise<() => MaybePromise<void>>
  /** Returns the number of connections that are open, or of processes that run. */
  connections?(): MaybePromise<number>
}

/**
 * Abilities that may be missing: `garble` and `connections`, if the server does not offer them; `push`, if the server
 * does not report changes; `blocks`, if the texts of the server are meant to be expanded.
 */
export type RemoteLack = 'garble' | 'connections' | 'push' | 'blocks'

/** Source and its server. No other fixture uses this server. */
export interface RemoteFixture extends Surroundings {
  readonly provider: Provider<'source'> | Provider<'source', Kind>
  readonly remote: Remote
  /** Values of the host that the source reads. The clock is the suite's. */
  readonly host?: Partial<Omit<Host, 'clock'>>
  /**
   * Returns the name by which the skill `name` of the server is invoked, such as `mcp__server__name`. Default: `name`.
   */
  nameOf?(name: string): string
}

/** Makes a fixture. Called once a case. */
export type MakeRemote = () => MaybePromise<RemoteFixture>

export interface RemoteSourceContractOptions extends ContractOptions<RemoteLack> {
  /** Milliseconds on the source's clock to wait for a server before listing what is known. Default 2,000. */
  readonly graceMs?: number
  /**
   * Milliseconds on the source's clock for each millisecond of real time. Default 4: retries and time limits come
   * sooner.
   */
  readonly pace?: number
}
