import { isAbsolute, posix, relative } from 'node:path'
import { type Catalog, type Host, type Skills, SkillsError } from '@skills/core'
import { isInside, realPathOf, slashes } from '@skills/files/internal'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import { withAgent } from './agent-catalog.js'
import { PlaceWriter } from './place-writer.js'
import { missesIn, type Miss } from './sights.js'
import type { AgentHere } from '@skills/distributions/internal'
import type { InstallContext } from './context.js'
import type { InstallPlace } from './place.js'

const probe = 'skills-probe'
/** Common folder of skills. */
const common = '.agents/skills'
const text = `---\nname: ${probe}\ndescription: It is looked for.\n---\nNothing.\n`

/** Texts of the `SKILL.md` of some skills, by name. */
type SkillTexts = Readonly<Record<string, Buffer>>

type ModelContext = Pick<InstallContext, 'place' | 'host' | 'signal'>

/**
 * Returns how each agent gets a skill from the common folder, as written in the lock: `same`, `link FOLDER` or `copy
 * FOLDER`. See {@link treatmentOf}.
 * @throws SkillsError `E_INVALID_OPTION` for a name that no distribution has; `E_INSTALL_NOT_FOUND`
 */
export async function agentTargets(
  agents: readonly string[],
  context: ModelContext,
): Promise<Readonly<Record<string, string>>> {
  const targets: Record<string, string> = {}
  for (const agent of agents.toSorted()) targets[agent] = (await treatmentOf(agent, {}, context)).target
  return targets
}

/** Returns the folders in which each agent looks for skills, relative to the base of the place. */
export async function agentFolders(
  agents: readonly string[],
  context: ModelContext,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const folders: Record<string, readonly string[]> = {}
  const { place, signal } = context
  for (const agent of agents.toSorted()) {
    const facts = factsOf(agent, place)
    facts.folders ??= await onModel(agent, {}, context, async (model, skills) =>
      foldersIn(model, place.scope, await skills.catalog({ signal })),
    )
    folders[agent] = facts.folders
  }
  return folders
}

/** Answers of an agent's distribution that do not depend on the skills. */
interface AgentFacts {
  /** Folders in which it looks, relative to the base of the place. */
  folders?: readonly string[]
  /** How it gets a skill that it can read. */
  target?: string
}

/** Facts that were asked for during one command: it plans, applies and then checks, and a model takes 20 milliseconds. */
const known = new WeakMap<InstallPlace, Map<string, AgentFacts>>()

function factsOf(agent: string, place: InstallPlace): AgentFacts {
  const ofPlace = known.get(place) ?? new Map<string, AgentFacts>()
  known.set(place, ofPlace)
  const facts = ofPlace.get(agent) ?? {}
  ofPlace.set(agent, facts)
  return facts
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
 * Returns the agents that are used here and can get some skills, with how they get them, and those that cannot: their
 * folder of skills cannot be written, or they cannot read one of the skills.
 * @param skills text of the `SKILL.md` of each skill, by name
 * @param wanted agents that are not asked about, because a person named them
 */
export async function usedAgents(
  skills: SkillTexts,
  wanted: readonly string[],
  context: ModelContext,
): Promise<UsedAgents & { readonly targets: Readonly<Record<string, string>> }> {
  const { place, host } = context
  const { agentsHere } = await import('@skills/distributions/internal')
  const here = agentsHere(place.base, host).filter(({ name }) => !wanted.includes(name))
  const targets: Record<string, string> = {}
  const found: AgentHere[] = []
  const unwired: UnwiredAgent[] = []
  for (const agent of here) {
    const { target, unread } = await treatmentOf(agent.name, skills, context)
    if (unread !== undefined) {
      const error = new SkillsError('E_INSTALL_FAILED', `${agent.name} cannot read ${unread.name}: ${unread.because}.`)
      unwired.push({ ...agent, error })
      continue
    }
    const [, folder] = target.split(/ (.*)/s)
    try {
      // A folder that is a link to the common folder has the skills already.
      if (folder !== undefined && realPathOf(`${place.base}/${folder}`) !== (realPathOf(place.folder) ?? ''))
        new PlaceWriter(place, [folder]).check(`${place.base}/${folder}/${probe}`)
      found.push(agent)
      targets[agent.name] = target
    } catch (error) {
      if (!SkillsError.is(error) || error.code !== 'E_WRITE') throw error
      unwired.push({ ...agent, error })
    }
  }
  return { found, unwired, targets }
}

/** How an agent gets skills from the common folder, and the first of them that it could not read then. */
interface Treatment {
  readonly target: string
  readonly unread: Miss | undefined
}

/**
 * Runs an agent's distribution on skills in the common folder, then on links in each folder where the agent looks, then
 * on copies in each of these folders. The first way in which the agent finds a skill that every agent can read counts.
 */
async function treatmentOf(agent: string, skills: SkillTexts, context: ModelContext): Promise<Treatment> {
  const { place, signal } = context
  const { scope } = place
  const facts = factsOf(agent, place)
  if (facts.target !== undefined && Object.keys(skills).length === 0) return { target: facts.target, unread: undefined }
  const all = Object.entries({ ...skills, [probe]: text })
  const treatment = await onModel(agent, skills, context, async (model, engine): Promise<Treatment> => {
    const treated = (catalog: Catalog, target: string, folder: string): Treatment | undefined => {
      const misses = missesIn(
        catalog,
        all.map(([name]) => ({ name, folders: [`${model.path}/${scope}/${folder}/${name}`] })),
      )
      return misses.some(({ name }) => name === probe) ? undefined : { target, unread: misses[0] }
    }
    const first = await engine.catalog({ signal })
    const looks = foldersIn(model, scope, first)
    facts.folders = looks
    const same = treated(first, 'same', common)
    if (same !== undefined) return same
    for (const how of ['link', 'copy'] as const)
      for (const folder of looks) {
        const at = `${scope}/${folder}`
        if (how === 'link') {
          const names = all.map(([name]) => name)
          if (!links(model, at, `${scope}/${common}`, names)) continue
        } else for (const [name, content] of all) model.create(`${at}/${name}/SKILL.md`, content)
        const done = treated(await engine.refresh(undefined, { signal }), `${how} ${folder}`, folder)
        if (done !== undefined) return done
        for (const [name] of all) model.remove(`${at}/${name}`)
      }
    throw new SkillsError('E_INSTALL_NOT_FOUND', `${agent} reads no skills from any folder of the ${scope}.`, {
      hint: 'Remove this agent from "agents" in skills.json.',
    })
  })
  facts.target = treatment.target
  return treatment
}

/** Makes links to skills of the model. Returns false, and leaves none, if the disk has no links. */
function links(model: Root, at: string, target: string, names: readonly string[]): boolean {
  try {
    for (const name of names) model.link(`${at}/${name}`, posix.relative(`/${at}`, `/${target}/${name}`))
    return true
  } catch (error) {
    if (!SkillsError.is(error) || error.code !== 'E_WRITE') throw error
    return false
  }
}

/**
 * Runs `act` on a temporary project and home folder, with a probe and some skills in the common folder of one of them,
 * and on an agent's engine over them.
 */
async function onModel<T>(
  agent: string,
  skills: SkillTexts,
  { place: { scope }, host }: ModelContext,
  act: (model: Root, engine: Skills) => Promise<T>,
): Promise<T> {
  const model = temporaryRoot('skills-agents.')
  try {
    for (const folder of ['project/.git', 'user']) model.makeFolder(folder)
    for (const [name, content] of Object.entries({ ...skills, [probe]: text }))
      model.create(`${scope}/${common}/${name}/SKILL.md`, content)
    return await withAgent(agent, modelHost(model, host), { managed: { dirs: [] } }, async engine => act(model, engine))
  } finally {
    removeTemporary(model)
  }
}

/** Returns the folders of the model below that of the scope, without the common folder of skills. */
function foldersIn(
  { path }: Root,
  scope: InstallPlace['scope'],
  { places }: Pick<Catalog, 'places'>,
): readonly string[] {
  const top = `${path}/${scope}`
  const looks = [...new Set(places.map(one => one.path.replace(/\/\*$/, '')))]
  const below = looks.filter(place => place !== top && isInside(place, top)).map(place => place.slice(top.length + 1))
  return below.filter(place => place !== common)
}

/** Variables that move an agent's folders. */
const moving = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_CONFIG_HOME']

/** Returns the host of the model. Folders of an agent that lie elsewhere in the home folder do so in the model too. */
function modelHost({ path: model }: Root, { env, home, platform, uid }: Host): Partial<Host> {
  const moved = moving.flatMap(name => {
    const place = env[name] ?? ''
    const below = home !== '' && isAbsolute(place) && isInside(slashes(place), slashes(home)) && relative(home, place)
    return typeof below === 'string' && below !== '' ? [[name, `${model}/user/${slashes(below)}`] as const] : []
  })
  return {
    cwd: `${model}/project`,
    home: `${model}/user`,
    env: { PATH: env['PATH'], ...Object.fromEntries(moved) },
    platform,
    uid,
  }
}
