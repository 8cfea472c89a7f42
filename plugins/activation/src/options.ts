import * as s from '@skills/core/schema'
import type { FileReads, AgentFolder } from '@skills/files/internal'
import type { Layout } from '@skills/files/source'

export const activationOptions = s.options('activation()', {
  /** Agents' folders in a nested folder, highest first, as in the project's source. Default: `.claude`, `.agents`. */
  folders: s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
  /** Layout by which folders of skills are walked and read. */
  layout: s.typed<Layout>('a layout'),
  /**
   * Owner of the plain name if a nested skill has the name of a project's skill. `nested-qualified` (default): the
   * project's skill; the nested one is qualified by its folder. `deepest-wins`: the deepest skill.
   */
  clash: s.oneOf('nested-qualified', 'deepest-wins'),
  /**
   * Visibility of a skill that waits for its paths. `unlisted` (default): hidden from the model; a person can still
   * type its name. `absent`: it does not exist for anyone.
   */
  waiting: s.oneOf('unlisted', 'absent'),
  /**
   * True if a nested skill with `paths` is active as soon as its folder is found, although no touched file matches.
   * Default: false.
   */
  nestedIsActive: s.flag(),
  /** Letter case of `paths`: it has to be the same as in the path of a file (`exact`, the default), or `any`. */
  letters: s.oneOf('exact', 'any'),
  /**
   * Absolute paths of files that count as touched from the start, such as those of a resumed session. Default: none.
   */
  touched: s.list(s.text()),
  /** Readings shared with other engines of this process, by `SharedReads` of `@skills/files`. Default: none. */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface ActivationOptions extends s.OptionsOf<typeof activationOptions> {}
