import type { AgentFolder, FileSourceOptions, Layout } from '@skills/files/source'

export interface ActivationOptions {
  /**
   * Agents' folders in a nested folder, highest first, as the project's source has them. Default: `.claude`, `.agents`.
   */
  readonly folders?: readonly (string | AgentFolder)[] | undefined
  /** How folders of skills are walked and read. */
  readonly layout?: Layout | undefined
  /**
   * Who has the plain name when a nested skill is called like one of the project: the project's, and the nested one is
   * qualified by its folder (`nested-qualified`, the default), or the deepest (`deepest-wins`).
   */
  readonly clash?: 'nested-qualified' | 'deepest-wins' | undefined
  /**
   * What a skill is that waits for its paths: unknown to a model, and there for a person who types its name
   * (`unlisted`, the default), or not there at all (`absent`).
   */
  readonly waiting?: 'unlisted' | 'absent' | undefined
  /** Files that count as touched from the beginning, absolute: those of the session that goes on. Default: none. */
  readonly touched?: readonly string[] | undefined
  /** What other engines of this process have read, as {@link FileSourceOptions.sharedReads} says. Default: nothing. */
  readonly sharedReads?: FileSourceOptions['sharedReads']
}
