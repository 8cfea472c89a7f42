import { defineProvider, type Gate, type Provider, type Source } from '@skills/core'

/**
 * Tells of what skills need and is not there, or leaves them out. What judges it is loaded for who asks.
 * @param servers names of the MCP servers that there are; undefined where that is not known
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
