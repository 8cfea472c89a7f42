import type { AgentFolder, FileSourceOptions, Layout } from '@skills/files/source'

export interface ManagedSourceOptions {
  /**
   * Managed folders, absolute, highest first. Default: the platform's own, `/etc/claude-code`,
   * `/Library/Application Support/ClaudeCode` or `C:\Program Files\ClaudeCode`.
   */
  readonly dirs?: readonly string[] | undefined
  /** Agents' folders in a managed folder, highest first. Default: `.claude`. */
  readonly folders?: readonly (string | AgentFolder)[] | undefined
  /** Numeric user id whose files count as an administrator's besides those of root. Default: none. */
  readonly owner?: number | undefined
  readonly layout?: Layout | undefined
  /**
   * What other engines of this process have read of skills, as {@link FileSourceOptions.sharedReads} says; policy is
   * always read. Default: nothing.
   */
  readonly sharedReads?: FileSourceOptions['sharedReads']
}
