import { defineProvider, type Gate, type Provider, type Source } from '@skills/core'

/**
 * Makes the gate that reports unmet needs of skills, or leaves these skills out. The code that judges them is loaded on
 * use.
 * @param servers names of the configured MCP servers; undefined if they are unknown
 */
export function needsGate(
  unmet: 'tell' | 'leave-out' | undefined,
  servers: readonly string[] | undefined,
): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'needs',
    setup: ({ host }): Gate & Pick<Source, 'explain'> => ({
      ...(unmet === 'leave-out' && { rules: async () => (await import('./skill-needs.js')).leavingOut(host, servers) }),
      explain: async (_name, command) =>
        command === undefined ? [] : new (await import('./skill-needs.js')).NeedsJudge(host, servers).notes(command),
    }),
  })
}
