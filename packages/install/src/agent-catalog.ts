import { createSkills, type Catalog, type Host, type Skills } from '@skills/core'
import { agentNamed } from '@skills/distributions/internal'
import { memoryState } from '@skills/state'

/**
 * Passes the engine of an agent's distribution over the folders of a host to `use`, and closes it. It connects to
 * nothing and runs no part of a skill.
 * @param options further options of the distribution
 * @throws SkillsError `E_INVALID_OPTION` for a name that no distribution has
 */
export async function withAgent<T>(
  agent: string,
  host: Partial<Host>,
  options: { readonly managed?: { readonly dirs: readonly string[] } },
  use: (skills: Skills) => Promise<T>,
): Promise<T> {
  const make = await agentNamed(agent)
  const skills = createSkills(
    make({
      host,
      trust: { all: true },
      state: memoryState(),
      bundled: false,
      onDiagnostic: () => undefined,
      ...options,
    }),
  )
  try {
    return await use(skills)
  } finally {
    await skills.close()
  }
}

/** Returns the catalog of an agent's distribution over the folders of a host. Otherwise as {@link withAgent}. */
export async function agentCatalog(agent: string, host: Partial<Host>, signal: AbortSignal): Promise<Catalog> {
  return withAgent(agent, host, {}, async skills => skills.catalog({ signal }))
}
