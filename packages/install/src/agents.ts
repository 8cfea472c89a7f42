import { dirname, relative } from 'node:path'
import { createSkills, type Host, SkillsError } from '@skills/core'
import { distributionNamed, type MakeDistribution } from '@skills/distributions'
import { isInside } from '@skills/files/internal'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import type { InstallContext } from './context.js'
import type { InstallPlace } from './place.js'

const probe = 'skills-probe'
/** In the one folder of skills. */
const own = `.agents/skills/${probe}`
const text = `---\nname: ${probe}\ndescription: It is looked for.\n---\nNothing.\n`

/**
 * How each agent gets what lies in the one folder, as it stands in the lock: `same`, `link FOLDER` or `copy FOLDER`. No
 * table says so: the agent's distribution is run on a skill in the one folder, on a link in each folder in which it
 * looks, and on a copy there, and the first that it finds counts.
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

/** In which folders each agent looks for skills, relative to the base of the place. */
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
    throw new SkillsError('E_INSTALL_NOT_FOUND', `${agent} finds skills in no folder of the ${scope}.`, {
      hint: 'Leave it out of "agents" in skills.json.',
    })
  })
}

/** Does something with a project and a home folder, in the one of which lies a skill in the one folder. */
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

/** Folders of the model below the one of the scope, but for the one folder of skills. */
function foldersIn({ path }: Root, scope: InstallPlace['scope'], places: readonly string[]): readonly string[] {
  const top = `${path}/${scope}`
  const below = places.filter(place => place !== top && isInside(place, top)).map(place => place.slice(top.length + 1))
  return below.filter(place => place !== dirname(own))
}

/** What an agent finds in the model, and where it looked. */
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
