import { createSkills, type Catalog, type Host } from '@skills/core'
import { distributionNamed } from '@skills/distributions'
import { memoryState } from '@skills/state'

/**
 * Runs an agent's distribution over the folders of a host, and returns the catalog. Connects to nothing and runs no
 * part of a skill.
 * @param options further options of the distribution
 * @throws SkillsError `E_INVALID_OPTION` for a name that no distribution has
 */
export async function agentCatalog(
  agent: string,
  host: Partial<Host>,
  signal: AbortSignal,
  options: { readonly managed?: { readonly dirs: readonly string[] } } = {},
): Promise<Catalog> {
  const make = await distributionNamed(agent)
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
    return await skills.catalog({ signal })
  } finally {
    await skills.close()
  }
}
