import * as s from '@skills/core/schema'
import type { FileReads, AgentFolder } from '@skills/files/internal'
import type { Layout } from '@skills/files/source'

export const managedSourceOptions = s.options('managedSource()', {
  /**
   * Managed folders, absolute, highest first. Default: the platform's own, `/etc/claude-code`,
   * `/Library/Application Support/ClaudeCode` or `C:\Program Files\ClaudeCode`.
   */
  dirs: s.list(s.text()),
  /** Agents' folders in a managed folder, highest first. Default: `.claude`. */
  folders: s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
  /** Numeric user id whose files count as an administrator's besides those of root. Default: none. */
  owner: s.number(),
  layout: s.typed<Layout>('a layout'),
  /**
   * What other engines of this process have read of skills, as `SharedReads` of `@skills/files` does; policy is
   * always read. Default: nothing.
   */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface ManagedSourceOptions extends s.OptionsOf<typeof managedSourceOptions> {}
