import { dirname, relative } from 'node:path'
import { type Host, SkillsError } from '@skills/core'
import { isInside, realPathOf } from '@skills/files/internal'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import { agentCatalog } from './agent-catalog.js'
import { PlaceWriter } from './place-writer.js'
import { missesIn, type Miss } from './sights.js'
import type { AgentHere } from '@skills/distributions/internal'
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
    folders[agent] = await onModel(scope, async model =>
      foldersIn(model, scope, (await look(agent, model, host, signal)).places),
    )
  }
  return folders
}

/** Agent that is used here and gets no skill. */
export interface UnwiredAgent extends AgentHere {
  readonly error: SkillsError
}

export interface UsedAgents {
  /** Agents that are used here, of which no one had to tell. */
  readonly found: readonly AgentHere[]
  /** Agents that are used here and get no skill, each with the reason: its folder cannot be written, or a skill not read. */
  readonly unwired: readonly UnwiredAgent[]
}

/**
 * Returns the agents that are used here and can get some skills, and those that cannot: their folder of skills cannot
 * be written, or they cannot read one of the skills.
 * @param skills text of the `SKILL.md` of each skill, by name
 * @param wanted agents that are not asked about, because a person named them
 */
export async function usedAgents(
  skills: Readonly<Record<string, Buffer>>,
  wanted: readonly string[],
  context: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<UsedAgents> {
  const { place, host, signal } = context
  const { agentsHere } = await import('@skills/distributions/internal')
  const here = agentsHere(place.base, host).filter(({ name }) => !wanted.includes(name))
  const targets = await agentTargets(
    here.map(({ name }) => name),
    context,
  )
  const found: AgentHere[] = []
  const unwired: UnwiredAgent[] = []
  for (const agent of here) {
    const [, folder] = (targets[agent.name] ?? '').split(/ (.*)/s)
    const unread = await unreadBy(agent.name, skills, `${folder ?? dirname(own)}`, place, host, signal)
    if (unread !== undefined) {
      const error = new SkillsError('E_INSTALL_FAILED', `${agent.name} cannot read ${unread.name}: ${unread.because}.`)
      unwired.push({ ...agent, error })
      continue
    }
    try {
      // A folder that is a link to the common folder has the skills already.
      if (folder !== undefined && realPathOf(`${place.base}/${folder}`) !== (realPathOf(place.folder) ?? ''))
        new PlaceWriter(place, [folder]).check(`${place.base}/${folder}/${probe}`)
      found.push(agent)
    } catch (error) {
      if (!SkillsError.is(error) || error.code !== 'E_WRITE') throw error
      unwired.push({ ...agent, error })
    }
  }
  return { found, unwired }
}

/** Returns the first skill that an agent could not read in its folder, with the reason. */
async function unreadBy(
  agent: string,
  skills: Readonly<Record<string, Buffer>>,
  folder: string,
  { scope }: InstallPlace,
  host: Host,
  signal: AbortSignal,
): Promise<Miss | undefined> {
  return onModel(scope, async model => {
    model.remove(`${scope}/${own}`)
    model.makeFolder(`${scope}/${folder}`)
    for (const [name, bytes] of Object.entries(skills)) model.create(`${scope}/${folder}/${name}/SKILL.md`, bytes)
    const catalog = await agentCatalog(agent, modelHost(model, host), signal, { managed: { dirs: [] } })
    const folders = Object.keys(skills).map(name => ({ name, folders: [`${model.path}/${scope}/${folder}/${name}`] }))
    return missesIn(catalog, folders)[0]
  })
}

async function targetOf(agent: string, { scope }: InstallPlace, host: Host, signal: AbortSignal): Promise<string> {
  return onModel(scope, async model => {
    const first = await look(agent, model, host, signal)
    if (first.isFound) return 'same'
    for (const how of ['link', 'copy'] as const)
      for (const folder of foldersIn(model, scope, first.places)) {
        const path = `${scope}/${folder}/${probe}`
        if (how === 'link') model.link(path, relative(`/${scope}/${folder}`, `/${scope}/${own}`))
        else model.create(`${path}/SKILL.md`, text)
        const { isFound } = await look(agent, model, host, signal)
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
  agent: string,
  model: Root,
  host: Host,
  signal: AbortSignal,
): Promise<{ readonly isFound: boolean; readonly places: readonly string[] }> {
  const { entries, places } = await agentCatalog(agent, modelHost(model, host), signal, { managed: { dirs: [] } })
  return {
    isFound: entries.some(
      ({ command }) => command.type === 'prompt' && command.filePath?.includes(`/${probe}/`) === true,
    ),
    places: [...new Set(places.map(({ path }) => path.replace(/\/\*$/, '')))],
  }
}

function modelHost({ path: model }: Root, { env, platform, uid }: Host): Partial<Host> {
  return { cwd: `${model}/project`, home: `${model}/user`, env: { PATH: env['PATH'] }, platform, uid }
}
