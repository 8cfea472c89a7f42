import { managedFiles } from './managed-files.js'
import { policyGate } from './policy-gate.js'
import { PolicyReader } from './policy-reader.js'
import { managedSourceOptions, type ManagedSourceOptions } from './options.js'
import type { Host, Provider } from '@skills/core'

export { managedDirs, policyName } from './managed-dirs.js'
export type { ManagedSourceOptions } from './options.js'

/**
 * What an administrator decides for all users of a machine: the source `managed` of skills, and the gate
 * `managed-policy`, which keeps out what `managed-settings.json` says. See docs/reference/managed.md, "Managed skills"
 * and "Managed policy".
 */
export function managedSource(given?: ManagedSourceOptions): readonly [Provider<'source'>, Provider<'gate'>] {
  const options = managedSourceOptions.read(given)
  // One reader for the two providers of an engine, which have its host in common.
  const readers = new WeakMap<Host, PolicyReader>()
  const readerFor = (host: Host): PolicyReader => {
    const reader = readers.get(host) ?? new PolicyReader(options, host)
    readers.set(host, reader)
    return reader
  }
  return [managedFiles(options, readerFor), policyGate(readerFor)]
}
