import { readsForNames } from '@skills/files/source'
import { agentEngine, lookAt, problemsOf, type AgentLook, type SeenFile } from './agent-look.js'
import { OneMoment } from './one-moment.js'
import type { Diagnostic, Host } from '@skills/core'
import type { CompatAgent } from './compat-types.js'

/** Answer for one agent and one skill: how the agent finds the skill, and how much of it its model is told. */
export interface AgentTold extends Pick<SeenFile, 'told' | 'cause' | 'toldChars' | 'ofChars' | 'because'> {
  /** Name in a configuration, such as `codex`. */
  readonly agent: string
  /** Name of the program, such as `Codex`. */
  readonly program: string
  /** `elsewhere`: the agent does not search its folder; `failed`: it cannot read the file. */
  readonly found: 'here' | 'shadowed' | 'failed' | 'elsewhere'
  /** For `failed`: the reason. */
  readonly problem?: Diagnostic | undefined
}

export interface AgentsToldCall {
  readonly host: Host
  /** Name by which the skill is invoked. */
  readonly name: string
  /** Real path of its file. */
  readonly path: string
  /** Tokens of the model's context window. Default: 200,000, as in a comparison. */
  readonly contextWindow?: number | undefined
  /** Files that were read already. */
  readonly reads: OneMoment
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns what each agent tells its model of a skill in its present place, as its distribution finds it. An agent reads
 * only files that can affect the skill, except where the listing of one skill depends on all others.
 */
export async function agentsTold(agents: readonly CompatAgent[], call: AgentsToldCall): Promise<readonly AgentTold[]> {
  const told: AgentTold[] = []
  for (const agent of agents) told.push(await agentTold(agent, call))
  return told
}

async function agentTold(
  { name: agent, checked, placed, make }: CompatAgent,
  { host, name, path, contextWindow = 200_000, reads, signal }: AgentsToldCall,
): Promise<AgentTold> {
  const look = async (sharedReads: OneMoment): Promise<AgentLook> => {
    const { skills, distribution } = agentEngine({ name: agent, placed, make }, { host, sharedReads })
    try {
      return await lookAt(skills, distribution, { contextWindow, signal })
    } finally {
      await skills.close()
    }
  }
  const few = readsForNames([name])
  const quick = few && (await look(new OneMoment('heads', few.over(reads.over(reads.disk)))))
  const seen = quick === undefined || (quick.sharesRoom && quick.files.has(path)) ? await look(reads) : quick
  const program = checked?.program ?? placed?.program ?? agent
  // What the agent is told of the same file or text in another place, it is told of this one.
  const here = seen.files.get(path) ?? seen.files.get(seen.twins.get(path) ?? '')
  if (here !== undefined) {
    const { told, cause, toldChars, ofChars, because } = here
    return { agent, program, found: 'here', told, cause, toldChars, ofChars, because }
  }
  const because = seen.shadowed.get(path)
  if (because !== undefined) return { agent, program, found: 'shadowed', told: 'no', cause: 'shadowed', because }
  const problem = problemsOf(seen, path).find(({ severity }) => severity === 'error')
  return problem === undefined
    ? { agent, program, found: 'elsewhere', told: 'no', because: 'The agent does not search the folder of the skill.' }
    : { agent, program, found: 'failed', told: 'no', cause: 'error', because: problem.message, problem }
}
