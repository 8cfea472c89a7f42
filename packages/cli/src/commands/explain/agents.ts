import { agentsHere, comparedAgents } from '@skills/distributions/internal'
import { findProjectFolders } from '@skills/files'
import { OneMoment } from '@skills/inspect/compat'
import { agentsTold, type AgentsToldCall, type AgentTold } from '@skills/inspect/internal'
import { grouped } from '../../output/grouped.js'
import type { ToldExplanation } from '@skills/host/internal'
import type { Engine } from '../../engine/engine-parts.js'

export interface AgentsCall {
  readonly contextWindow: number | undefined
  readonly signal: AbortSignal
  /** True to use the agents that are used here if the configuration names none. Each takes some milliseconds. */
  readonly looksForAgents: boolean
}

/**
 * Returns what each agent tells its model of the skill that has the name. The agents are those of the configuration,
 * otherwise those that are used here. Empty if the skill is in no file.
 */
export async function agentsOf(
  { answers: [first] }: Pick<ToldExplanation, 'answers'>,
  engine: Pick<Engine, 'skills' | 'agents'>,
  call: AgentsCall,
): Promise<readonly AgentTold[]> {
  const command = first?.command?.type === 'prompt' ? first.command : undefined
  const path = command?.file?.realPath ?? first?.path
  if (first === undefined || path === undefined || command?.source === 'bundled') return []
  return agentsAbout({ name: command?.name ?? first.name, path }, engine, call)
}

/** Returns what each agent tells its model of the skill in a file. The agents are those of {@link agentsOf}. */
export async function agentsAbout(
  skill: Pick<AgentsToldCall, 'name' | 'path'>,
  { skills: { host }, agents }: Pick<Engine, 'skills' | 'agents'>,
  { looksForAgents, ...call }: AgentsCall,
): Promise<readonly AgentTold[]> {
  const names =
    agents ?? (looksForAgents ? agentsHere(findProjectFolders(host).top, host).map(({ name: agent }) => agent) : [])
  return names.length === 0
    ? []
    : agentsTold(await comparedAgents(names), { host, ...skill, reads: new OneMoment('heads'), ...call })
}

/** Returns the line of agents: `● Claude Code whole · ● Codex cut to 1,024 · ○ pi (YAML)`. */
export function agentLine(agents: readonly AgentTold[]): string {
  return agents.map(one => `${isTold(one) ? '●' : '○'} ${one.program} ${wordOf(one)}`).join(' · ')
}

const isTold = ({ told }: AgentTold): boolean => told === 'whole' || told === 'cut' || told === 'name'

function wordOf({ found, told, cause, toldChars = 0, problem }: AgentTold): string {
  if (found === 'elsewhere') return '(not in its folders)'
  if (found === 'shadowed') return '(another skill has its name)'
  if (found === 'failed')
    return `(${problem === undefined ? 'not read' : problem.code.replaceAll('-', ' ').replace(/yaml/, 'YAML')})`
  switch (told) {
    case 'whole':
      return 'whole'
    case 'cut':
      return `cut to ${grouped(toldChars)}`
    case 'name':
      return 'name only'
    case 'user':
      return '(user only)'
    case 'later':
      return '(waits for a file)'
    case 'unknown':
      return '(only its folders are known)'
    case 'no':
      return cause === 'budget' ? '(left out)' : '(not told)'
  }
}

/** Returns what each agent tells as JSON. Every key is present; null means no value. */
export function agentsJson(agents: readonly AgentTold[]): readonly object[] {
  return agents.map(({ agent, program, found, told, cause, toldChars, ofChars, because }) => ({
    agent,
    program,
    found,
    told,
    cause: cause ?? null,
    toldChars: toldChars ?? null,
    ofChars: ofChars ?? null,
    because: because ?? null,
  }))
}
