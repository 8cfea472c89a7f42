import type { Diagnostic, Skills } from '@skills/core'
import type { Distribution } from '@skills/distributions'
import type { FileReads } from '@skills/files/internal'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Engine of a command, with its distribution and the problems that loading reported. */
export interface Engine {
  readonly skills: Skills
  readonly distribution: Distribution
  /**
   * Creates the same engine with other file reads; the caller closes it. Undefined if providers from a configuration
   * may read any file.
   */
  readonly readingWith: ((reads: FileReads) => Promise<Pick<Engine, 'distribution' | 'skills'>>) | undefined
  /** Agents named by the configuration. */
  readonly agents: readonly string[] | undefined
  /** Possible source names, highest precedence first. */
  readonly sources: readonly string[]
  /** Diagnostics besides the catalog's errors and warnings. */
  readonly reported: readonly Diagnostic[]
  /** Subset of `reported` about configuration and settings files. */
  readonly misconfigured: readonly Diagnostic[]
}

/** Creates an engine, runs a command's work with it, and closes it. */
export type WithEngine = (invocation: Invocation, io: Io, work: (engine: Engine) => Promise<number>) => Promise<number>
