import { comparedAgents, referenceAgent } from '@skills/distributions/internal'
import { realPathOf } from '@skills/files/internal'
import { compat } from '@skills/inspect/compat'
import type { Compat } from '@skills/inspect/internal'
import type { ShownEngine } from './shown-engine.js'

/**
 * Compares the agents that the skills are meant for. If none are named, compares all agents that follow a released
 * program.
 * @param one skill to compare them for; default: all
 */
export async function compatOf(
  { skills, distribution, readingWith, agents }: ShownEngine,
  signal: AbortSignal,
  one?: { readonly name: string; readonly path?: string | undefined },
): Promise<Compat> {
  const realPath = one?.path === undefined ? undefined : realPathOf(one.path)
  return compat({
    ...(one !== undefined && (realPath === undefined ? { only: [one.name] } : { files: [realPath] })),
    reference: await referenceAgent(distribution.name),
    engine: { skills, distribution, readingWith },
    agents: await comparedAgents(agents),
    host: skills.host,
    signal,
  })
}
