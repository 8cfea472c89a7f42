import type { BundledSkill } from '@skills/source-bundled'

/**
 * The skills about skills that the standard distribution brings along: `check-skill`, `explain-skills`, `make-plugin`
 * and `write-skill`. They are loaded when they are asked for. See
 * docs/reference/distributions.md, "Skills about skills".
 *
 *     bundledSource({ skills: bundledSkills })
 */
export async function bundledSkills(): Promise<readonly BundledSkill[]> {
  const { embeddedSkills } = await import('./embedded-skills.js')
  return embeddedSkills
}
