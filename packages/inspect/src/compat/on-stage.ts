import { dirname } from 'node:path/posix'
import { agentEngine, lookAt, problemsOf, type SeenFile } from './agent-look.js'
import type { Diagnostic } from '@skills/core'
import type { StoreAnswer } from '@skills/store'
import type { CompatAgent } from './compat-types.js'
import type { Stage } from './stage.js'

/** Skill that an agent does not find in the skill's present place. */
export interface Candidate {
  /** Real path of its file. */
  readonly path: string
  /** Name of its folder, or the name that it should have. */
  readonly folder: string
  /** Name of its file there, such as `SKILL.md`. */
  readonly file: string
  readonly isOfUser: boolean
  readonly read: () => StoreAnswer<Uint8Array>
}

/** Result for a candidate in the agent's own folder. */
export interface StagedFile {
  /** Path of the file below the project or the home folder, such as `.agents/skills/deploy/SKILL.md`. */
  readonly place: string
  readonly seen: SeenFile | undefined
  /** Sentence that says which other skill has its name there. */
  readonly shadowed: string | undefined
  /** Problems of the file. */
  readonly problems: readonly Diagnostic[]
  /** Problem of the folder, such as more skills than the agent looks at. */
  readonly around: Diagnostic | undefined
}

/** Folders of skills that an agent reads, below a project and below the home folder. */
export interface AgentPlaces {
  readonly project: string | undefined
  readonly home: string | undefined
}

export interface StageCall {
  readonly stage: Stage
  readonly contextWindow: number
  readonly signal: AbortSignal
}

/** Folder that is preferred because several agents read it: one copy there serves all of them. */
const shared = '.agents/skills'

/** Returns the folders in which an agent looks for skills; a skill for the agent would be put there. */
export async function placesOf(agent: CompatAgent, { stage, signal }: StageCall): Promise<AgentPlaces> {
  stage.set([])
  const { skills } = agentEngine(agent, onStage(stage))
  try {
    const { places } = await skills.catalog({ signal })
    const below = (folder: string): string | undefined => {
      const all = places.map(({ path }) => path).filter(path => path.startsWith(`${folder}/`))
      const names = all.map(path => path.slice(folder.length + 1)).filter(name => !/^commands$|\/commands$/.test(name))
      return names.includes(shared) ? shared : names[0]
    }
    return { project: below(stage.project), home: below(stage.home) }
  } finally {
    await skills.close()
  }
}

/**
 * Shows an agent, in the agent's own folder, the skills that it did not find. Returns how the agent treats each of
 * these skills.
 */
export async function stageSkills(
  agent: CompatAgent,
  places: AgentPlaces,
  candidates: readonly Candidate[],
  { stage, contextWindow, signal }: StageCall,
): Promise<ReadonlyMap<string, StagedFile>> {
  const found = new Map<string, StagedFile>()
  // Two skills with the same folder name cannot be in one folder at the same time.
  for (let left = candidates; left.length > 0;) {
    const taken = new Map<string, Candidate>()
    const later: Candidate[] = []
    for (const one of left) {
      const place = one.isOfUser ? places.home : places.project
      if (place === undefined) continue
      const folder = `${one.isOfUser ? 'home' : 'project'}/${place}/${one.folder}`
      if (taken.has(folder)) later.push(one)
      else taken.set(folder, one)
    }
    stage.set([...taken].map(([folder, { file, read }]) => ({ path: `${folder}/${file}`, read })))
    const { skills, distribution } = agentEngine(agent, onStage(stage))
    try {
      const look = await lookAt(skills, distribution, { contextWindow, signal })
      const own = ownPaths(stage, places, taken)
      for (const [folder, { path, file }] of taken) {
        const staged = `${stage.path}/${folder}/${file}`
        const place = folder.slice(folder.indexOf('/') + 1)
        const around = `${stage.path}/${dirname(folder)}`
        found.set(path, {
          place: `${place}/${file}`,
          seen: look.files.get(staged),
          shadowed: own(look.shadowed.get(staged)),
          problems: problemsOf(look, staged).map(one => asOf(one, own, path)),
          around: problemsOf(look, around).map(one => asOf(one, own, dirname(place)))[0],
        })
      }
    } finally {
      await skills.close()
    }
    left = later
  }
  return found
}

function onStage(stage: Stage): Parameters<typeof agentEngine>[1] {
  return { host: { cwd: stage.project, home: stage.home, env: {} }, sharedReads: stage.reads }
}

/** Replaces paths on the stage in a text, because the stage is gone when it is read. */
type OwnPaths = <Text extends string | undefined>(text: Text) => Text | string

/**
 * Returns a function that replaces the path of a staged file or of its folder by that of the original, and any other
 * path on the stage by the part below the project or the home folder.
 * @param taken what is on the stage, by its folders
 */
function ownPaths(stage: Stage, places: AgentPlaces, taken: ReadonlyMap<string, Candidate>): OwnPaths {
  const roots = [`project/${places.project}/`, `home/${places.home}/`]
  const own = (below: string): string => {
    const root = roots.find(one => below.startsWith(one)) ?? ''
    const [folder = ''] = below.slice(root.length).split('/')
    const original = taken.get(`${root}${folder}`)
    if (original === undefined) return below.replace(/^(?:project|home)\//, '')
    const rest = below.slice(root.length + folder.length)
    const file = `/${original.file}`
    return rest.startsWith(file) ? `${original.path}${rest.slice(file.length)}` : `${dirname(original.path)}${rest}`
  }
  return text =>
    text?.includes(stage.path) === true
      ? text
          .split(`${stage.path}/`)
          .map((part, at) => (at === 0 ? part : own(part)))
          .join('')
      : text
}

/** Rewrites a diagnostic of a staged file or folder. */
function asOf(one: Diagnostic, own: OwnPaths, path: string): Diagnostic {
  const { hint } = one
  return { ...one, path, message: own(one.message), ...(hint !== undefined && { hint: own(hint) }) }
}
