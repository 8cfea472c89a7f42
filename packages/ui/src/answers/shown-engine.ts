import type { Diagnostic, Skills } from '@skills/core'
import type { Distribution } from '@skills/distributions'
import type { FileReads } from '@skills/files/internal'

/** Tokens of the context window for which a page says what a model is told, as in a comparison of agents. */
export const shownWindow = 200_000

/** Engine whose skills a page shows. */
export interface ShownEngine {
  readonly skills: Skills
  readonly distribution: Distribution
  /** Creates the same engine with other file reads; the caller closes it. Undefined if that is not possible. */
  readonly readingWith?: ((reads: FileReads) => Promise<Pick<ShownEngine, 'distribution' | 'skills'>>) | undefined
  /** Agents that the skills are meant for. Default: all that follow a released program. */
  readonly agents?: readonly string[] | undefined
  /** Diagnostics besides the catalog's errors and warnings. Default: none. */
  readonly reported?: readonly Diagnostic[] | undefined
  /** Subset of `reported` about configuration and settings files. */
  readonly misconfigured?: readonly Diagnostic[] | undefined
}
