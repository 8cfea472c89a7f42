import { defineProvider, type Command, type GateRules, type Host, type Provider } from '@skills/core'
import type { PolicyReader } from './policy-reader.js'

/** Keeps out what the policies of the managed folders say. See docs/reference/managed.md, "Managed policy". */
export function policyGate(readerFor: (host: Host) => PolicyReader): Provider<'gate'> {
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

const noRules: GateRules = {}
