import type { BundledSkill } from '@skills/source-bundled'

/**
 * Loads the skills about skills of the standard distribution: `check-skill`, `explain-skills`, `make-plugin` and
 * `write-skill`. See docs/reference/distributions.md, "Skills about skills".
 *
 *     bundledSource({ skills: bundledSkills })
 */
export async function bundledSkills(): Promise<readonly BundledSkill[]> {
  const { embeddedSkills } = await import('./embedded-skills.js')
  return embeddedSkills
}
