import { SkillsError } from '@skills/core'
import { broughtSkills } from './brought-skills.js'
import { exactSource } from './exact-source.js'
import { openSource, type OpenedSource } from './open-source.js'
import { parseSource } from './source.js'
import { hintOf } from './unknown-skill.js'
import type { InstallContext } from './context.js'
import type { FoundSkill } from './skill-files.js'

/**
 * Opens a source, which the caller closes, and finds the skills that are named.
 * @param names names or paths of skills; none: all that the source brings
 * @throws SkillsError, and the errors of stores
 */
export async function chosenSkills(
  text: string,
  names: readonly string[],
  { host, signal, onProgress, idleMs }: InstallContext,
): Promise<{ readonly opened: OpenedSource; readonly chosen: readonly FoundSkill[] }> {
  const exact = await exactSource(text, host, { host, signal, onProgress, idleMs })
  const wanted = exact.skill === undefined ? names : [...names, exact.skill]
  const opened = await openSource(parseSource(exact.text, host), { host, signal, onProgress, idleMs })
  try {
    const { skills: brought, others } = await broughtSkills(opened, opened.entry, signal)
    // Skills beside a plugin are not part of it; others of a repository can be named.
    const found = wanted.length === 0 || opened.entry !== undefined ? brought : [...brought, ...others]
    for (const name of wanted)
      if (!found.some(one => one.name === name || one.path === name))
        throw new SkillsError('E_INSTALL_NOT_FOUND', `${text} has no skill ${JSON.stringify(name)}.`, {
          hint: hintOf(
            name,
            found.map(one => one.name),
          ),
        })
    const chosen = found.filter(
      ({ name, path }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(path),
    )
    if (chosen.length === 0)
      throw new SkillsError('E_INSTALL_NOT_FOUND', `${text} has no skill: no folder with a SKILL.md.`, {
        hint: 'Name another source.',
      })
    return { opened, chosen }
  } catch (error) {
    await opened.close()
    throw error
  }
}
