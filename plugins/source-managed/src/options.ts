import * as s from '@skills/core/schema'
import type { FileReads, AgentFolder } from '@skills/files/internal'
import type { Layout } from '@skills/files/source'

export const managedSourceOptions = s.options('managedSource()', {
  /**
   * Absolute paths of managed folders, highest first. Default: those of the platform, `/etc/claude-code`,
   * `/Library/Application Support/ClaudeCode` or `C:\Program Files\ClaudeCode`.
   */
  dirs: s.list(s.text()),
  /** Agents' folders in a managed folder, highest first. Default: `.claude`. */
  folders: s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
  /** Numeric id of a user whose files count as an administrator's, besides root. Default: none. */
  owner: s.number(),
  layout: s.typed<Layout>('a layout'),
  /**
   * Cache of skills that other engines of this process have read: a `SharedReads` of `@skills/files`. Policies are
   * always read. Default: no cache.
   */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface ManagedSourceOptions extends s.OptionsOf<typeof managedSourceOptions> {}
