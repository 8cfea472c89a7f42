import type { Diagnostic, Skills } from '@skills/core'
import type { Distribution } from '@skills/distributions'
import type { FileReads } from '@skills/files/internal'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** What a command works with. */
export interface Engine {
  readonly skills: Skills
  readonly distribution: Distribution
  /**
   * Makes the same one with other reads of files; who asks for it closes it. Undefined where providers of others may ask
   * for any file.
   */
  readonly readingWith: ((reads: FileReads) => Promise<Pick<Engine, 'distribution' | 'skills'>>) | undefined
  /** Agents that the configuration says the skills are meant for. */
  readonly agents: readonly string[] | undefined
  /** The source names there may be, highest first. */
  readonly sources: readonly string[]
  /** What was reported besides the catalog's own errors and warnings. */
  readonly reported: readonly Diagnostic[]
  /** Those of them that are about configuration and settings files. */
  readonly misconfigured: readonly Diagnostic[]
}

/** Makes an engine, has a command work with it, and closes it. */
export type WithEngine = (invocation: Invocation, io: Io, work: (engine: Engine) => Promise<number>) => Promise<number>
