import type { Command, Status } from '@skills/core'

/** Command that a search can find, with its state. */
export interface SearchableCommand {
  /** Name by which it is invoked, or would be. */
  readonly name: string
  /** Status as from `explain`. A search does not know commands that failed to load or are gone. */
  readonly state: Exclude<Status, 'failed' | 'gone'>
  readonly command: Command
  /** Id of the provider it came from. */
  readonly provider: string
  readonly path?: string | undefined
  /** Reason why it cannot be invoked by its plain name, or why it is not yet listed to a model. */
  readonly reason?: string | undefined
}
