import { checkOptions } from '@skills/core'
import { managedFiles } from './managed-files.js'
import { policyGate } from './policy-gate.js'
import { PolicyReader } from './policy-reader.js'
import type { AgentFolder, FileSourceOptions, Layout } from '@skills/skill-files'
import type { Host, Provider } from '@skills/core'

export interface ManagedSourceOptions {
  /**
   * Managed folders, absolute, highest first. Default: the platform's own, `/etc/claude-code`,
   * `/Library/Application Support/ClaudeCode` or `C:\Program Files\ClaudeCode`.
   */
  readonly dirs?: readonly string[] | undefined
  /** Agents' folders in a managed folder, highest first. Default: `.claude`. */
  readonly folders?: readonly (string | AgentFolder)[] | undefined
  /** Numeric user id whose files count as an administrator's besides those of root. Default: nobody's. */
  readonly owner?: number | undefined
  readonly layout?: Layout | undefined
  /** What other engines of this process have read of skills, as {@link FileSourceOptions.sharedReads} says; policy is always read. Default: nothing. */
  readonly sharedReads?: FileSourceOptions['sharedReads']
}

/**
 * What whoever runs the machine decides for all its users: the source `managed` of skills, and the gate `managed-policy`,
 * which keeps out what `managed-settings.json` says. See docs/reference.md, "Managed skills" and "Managed policy".
 */
export function managedSource(options: ManagedSourceOptions = {}): readonly [Provider<'source'>, Provider<'gate'>] {
  checkOptions<ManagedSourceOptions>('managedSource()', options, {
    dirs: 1, folders: 1, owner: 1, layout: 1, sharedReads: 1,
  })
  // One reader for the two providers of an engine, which have its host in common.
  const readers = new WeakMap<Host, PolicyReader>()
  const readerFor = (host: Host): PolicyReader => {
    const reader = readers.get(host) ?? new PolicyReader(options, host)
    readers.set(host, reader)
    return reader
  }
  return [managedFiles(options, readerFor), policyGate(readerFor)]
}
