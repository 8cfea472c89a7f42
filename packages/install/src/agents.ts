import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { createSkills, type Host } from '@skills/core'
import { distributionNamed, type MakeDistribution } from '@skills/distributions'
import { isInside } from '@skills/files'
import { makeTemporaryFolder } from '@skills/state'
import { InstallError } from './error.js'
import type { InstallContext } from './context.js'
import type { InstallPlace } from './place.js'

const probe = 'skills-probe'

/**
 * How each agent gets what lies in the one folder, as it stands in the lock: `same`, `link FOLDER` or `copy FOLDER`. No
 * table says so: the agent's distribution is run on a skill in the one folder, on a link in each folder in which it
 * looks, and on a copy there, and the first that it finds counts.
 * @throws SkillsError `E_INVALID_OPTION` for a name that no distribution has; InstallError `E_INSTALL_NOT_FOUND`
 */
export async function agentTargets(
  agents: readonly string[],
  { place, host, signal }: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<Readonly<Record<string, string>>> {
  const targets: Record<string, string> = {}
  for (const agent of agents.toSorted()) targets[agent] = await targetOf(agent, place, host, signal)
  return targets
}

async function targetOf(agent: string, { scope }: InstallPlace, host: Host, signal: AbortSignal): Promise<string> {
  const make = await distributionNamed(agent)
  const model = makeTemporaryFolder('skills-agents.')
  // As the place is laid out: the project and the home folder are two trees.
  const root = `${model}/${scope}`
  const own = `${root}/.agents/skills/${probe}`
  try {
    for (const folder of [`${model}/project/.git`, `${model}/user`, own]) mkdirSync(folder, { recursive: true })
    const text = `---\nname: ${probe}\ndescription: It is looked for.\n---\nNothing.\n`
    writeFileSync(`${own}/SKILL.md`, text)
    const first = await look(make, model, host, signal)
    if (first.isFound) return 'same'
    const folders = first.places.filter(path => isInside(path, root) && path !== dirname(own))
    for (const how of ['link', 'copy'] as const)
      for (const folder of folders) {
        const path = `${folder}/${probe}`
        mkdirSync(folder, { recursive: true })
        if (how === 'link') symlinkSync(relative(folder, own), path, 'dir')
        else {
          mkdirSync(path)
          writeFileSync(`${path}/SKILL.md`, text)
        }
        const { isFound } = await look(make, model, host, signal)
        rmSync(path, { recursive: true })
        if (isFound) return `${how} ${folder.slice(root.length + 1)}`
      }
    throw new InstallError(
      'E_INSTALL_NOT_FOUND',
      `${agent} finds skills in no folder of the ${scope}.`,
      'Leave it out of "agents" in skills.json.',
    )
  } finally {
    rmSync(model, { recursive: true, force: true })
  }
}

/** What an agent finds in the model, and where it looked. */
async function look(
  make: MakeDistribution,
  model: string,
  { env, platform, uid }: Host,
  signal: AbortSignal,
): Promise<{ readonly isFound: boolean; readonly places: readonly string[] }> {
  const host = { cwd: `${model}/project`, home: `${model}/user`, env: { PATH: env['PATH'] }, platform, uid }
  const skills = createSkills(
    make({ host, trust: { all: true }, bundled: false, managed: { dirs: [] }, onDiagnostic: () => undefined }),
  )
  try {
    const { entries, places } = await skills.catalog({ signal })
    return {
      isFound: entries.some(
        ({ command }) => command.type === 'prompt' && command.filePath?.includes(`/${probe}/`) === true,
      ),
      places: [...new Set(places.map(({ path }) => path.replace(/\/\*$/, '')))],
    }
  } finally {
    await skills.close()
  }
}
