import * as s from '@skills/core/schema'
import type { FileReads, AgentFolder } from '@skills/files/internal'
import type { Layout } from '@skills/files/source'

export const activationOptions = s.options('activation()', {
  /**
   * Agents' folders in a nested folder, highest first, as the project's source has them. Default: `.claude`, `.agents`.
   */
  folders: s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
  /** How folders of skills are walked and read. */
  layout: s.typed<Layout>('a layout'),
  /**
   * Who has the plain name when a nested skill is called like one of the project: the project's, and the nested one is
   * qualified by its folder (`nested-qualified`, the default), or the deepest (`deepest-wins`).
   */
  clash: s.oneOf('nested-qualified', 'deepest-wins'),
  /**
   * What a skill is that waits for its paths: unknown to a model, and there for a person who types its name
   * (`unlisted`, the default), or not there at all (`absent`).
   */
  waiting: s.oneOf('unlisted', 'absent'),
  /** Files that count as touched from the beginning, absolute: those of the session that goes on. Default: none. */
  touched: s.list(s.text()),
  /** What other engines of this process have read, as `SharedReads` of `@skills/files` does. Default: nothing. */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface ActivationOptions extends s.OptionsOf<typeof activationOptions> {}
