import { dirname, relative } from 'node:path'
import { createSkills, type Host, SkillsError } from '@skills/core'
import { distributionNamed, type MakeDistribution } from '@skills/distributions'
import { isInside } from '@skills/files/internal'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import type { InstallContext } from './context.js'
import type { InstallPlace } from './place.js'

const probe = 'skills-probe'
/** Path of the probe in the common folder of skills. */
const own = `.agents/skills/${probe}`
const text = `---\nname: ${probe}\ndescription: It is looked for.\n---\nNothing.\n`

/**
 * Returns how each agent gets a skill from the common folder, as written in the lock: `same`, `link FOLDER` or `copy
 * FOLDER`. Runs the agent's distribution on a skill in the common folder, then on a link in each folder where the agent
 * looks, then on a copy in each of these folders. The first way in which the agent finds the skill is returned.
 * @throws SkillsError `E_INVALID_OPTION` for a name that no distribution has; `E_INSTALL_NOT_FOUND`
 */
export async function agentTargets(
  agents: readonly string[],
  { place, host, signal }: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<Readonly<Record<string, string>>> {
  const targets: Record<string, string> = {}
  for (const agent of agents.toSorted()) targets[agent] = await targetOf(agent, place, host, signal)
  return targets
}

/** Returns the folders in which each agent looks for skills, relative to the base of the place. */
export async function agentFolders(
  agents: readonly string[],
  { place: { scope }, host, signal }: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const folders: Record<string, readonly string[]> = {}
  for (const agent of agents.toSorted()) {
    const make = await distributionNamed(agent)
    folders[agent] = await onModel(scope, async model =>
      foldersIn(model, scope, (await look(make, model, host, signal)).places),
    )
  }
  return folders
}

async function targetOf(agent: string, { scope }: InstallPlace, host: Host, signal: AbortSignal): Promise<string> {
  const make = await distributionNamed(agent)
  return onModel(scope, async model => {
    const first = await look(make, model, host, signal)
    if (first.isFound) return 'same'
    for (const how of ['link', 'copy'] as const)
      for (const folder of foldersIn(model, scope, first.places)) {
        const path = `${scope}/${folder}/${probe}`
        if (how === 'link') model.link(path, relative(`/${scope}/${folder}`, `/${scope}/${own}`))
        else model.create(`${path}/SKILL.md`, text)
        const { isFound } = await look(make, model, host, signal)
        model.remove(path)
        if (isFound) return `${how} ${folder}`
      }
    throw new SkillsError('E_INSTALL_NOT_FOUND', `${agent} reads no skills from any folder of the ${scope}.`, {
      hint: 'Remove this agent from "agents" in skills.json.',
    })
  })
}

/** Runs `act` on a temporary project and home folder, with a probe in the common folder of one of them. */
async function onModel<T>(scope: InstallPlace['scope'], act: (model: Root) => Promise<T>): Promise<T> {
  const model = temporaryRoot('skills-agents.')
  try {
    for (const folder of ['project/.git', 'user']) model.makeFolder(folder)
    model.create(`${scope}/${own}/SKILL.md`, text)
    return await act(model)
  } finally {
    removeTemporary(model)
  }
}

/** Returns the folders of the model below that of the scope, without the common folder of skills. */
function foldersIn({ path }: Root, scope: InstallPlace['scope'], places: readonly string[]): readonly string[] {
  const top = `${path}/${scope}`
  const below = places.filter(place => place !== top && isInside(place, top)).map(place => place.slice(top.length + 1))
  return below.filter(place => place !== dirname(own))
}

/** Returns whether an agent finds the probe in the model, and the places where it looked. */
async function look(
  make: MakeDistribution,
  { path: model }: Root,
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
