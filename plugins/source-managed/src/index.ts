import { managedFiles } from './managed-files.js'
import { PolicyReader } from './policy-reader.js'
import { managedSourceOptions, type ManagedSourceOptions } from './options.js'
import { defineProvider, type Host, type Provider, type Command, type GateRules } from '@skills/core'

const noRules: GateRules = {}

export { managedDirs, policyName } from './managed-dirs.js'

export type { ManagedSourceOptions } from './options.js'

/**
 * Makes the providers for what an administrator decides for all users of a machine: the source `managed` of skills, and
 * the gate `managed-policy`, which applies `managed-settings.json`. See docs/reference/managed.md, "Managed skills" and
 * "Managed policy".
 */
export function managedSource(given?: ManagedSourceOptions): readonly [Provider<'source'>, Provider<'gate'>] {
  const options = managedSourceOptions.read(given)
  // The two providers of an engine share its host, and so one reader.
  const readers = new WeakMap<Host, PolicyReader>()
  const readerFor = (host: Host): PolicyReader => {
    const reader = readers.get(host) ?? new PolicyReader(options, host)
    readers.set(host, reader)
    return reader
  }
  return [managedFiles(options, readerFor), policyGate(readerFor)]
}

/** Makes the gate that applies the policies of the managed folders. See docs/reference/managed.md, "Managed policy". */
function policyGate(readerFor: (host: Host) => PolicyReader): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'managed-policy',
    setup({ host }) {
      const current = async () => (await readerFor(host).current())?.rules
      return {
        rules: async () => (await current()) ?? noRules,
        forbids: async () => (await current())?.forbidsShell(),
        explain: async (name: string, command: Command | undefined) => (await current())?.notesOn(name, command) ?? [],
      }
    },
  })
}
