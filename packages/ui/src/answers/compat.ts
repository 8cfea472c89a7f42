import { comparedAgents, referenceAgent } from '@skills/distributions/internal'
import { compat } from '@skills/inspect/compat'
import type { Compat } from '@skills/inspect/internal'
import type { ShownEngine } from './shown-engine.js'

/**
 * Compares the agents that the skills are meant for. If none are named, compares all agents that follow a released
 * program.
 */
export async function compatOf(
  { skills, distribution, readingWith, agents }: ShownEngine,
  signal: AbortSignal,
): Promise<Compat> {
  return compat({
    reference: await referenceAgent(distribution.name),
    engine: { skills, distribution, readingWith },
    agents: await comparedAgents(agents),
    host: skills.host,
    signal,
  })
}
