import type { Command, Status } from '@skills/core'

/** A command that can be found, and what became of it. */
export interface SearchableCommand {
  /** What it is invoked by, or would be. */
  readonly name: string
  /** As `explain` has it; a search knows nothing of those that did not load or are gone. */
  readonly state: Exclude<Status, 'failed' | 'gone'>
  readonly command: Command
  /** Id of the provider it came from. */
  readonly provider: string
  readonly path?: string | undefined
  /** Why it cannot be invoked by its plain name, or why a model is not told of it yet. */
  readonly reason?: string | undefined
}
