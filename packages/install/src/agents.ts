import type { InstallContext } from './context.js'

/** How each agent gets what lies in the one folder, as it stands in the lock. */
export async function agentTargets(
  agents: readonly string[],
  context: InstallContext,
): Promise<Readonly<Record<string, string>>> {
  void context
  return Object.fromEntries(agents.map(agent => [agent, 'same']))
}
