import { compareCodeUnits, SkillsError, type KindAccess } from '@skills/core'
import { generalPurpose, type AgentDefinition } from './agent.js'
import type { AgentFile, AgentFolders } from './agent-files.js'
import type { Trust } from '@skills/invocation'

export interface AgentChoice {
  /** Agents defined in code, by name. */
  readonly given: ReadonlyMap<string, AgentDefinition>
  readonly folders: AgentFolders
  readonly trust: KindAccess<Trust>
  readonly signal: AbortSignal
}

/** Agent that a skill runs as, and the file that defines it. */
export interface ChosenAgent {
  readonly agent: AgentDefinition
  /** Undefined for an agent defined in code, and for the built-in one. */
  readonly path?: string | undefined
}

/**
 * Chooses the agent that a skill runs as. An agent that is defined in code comes first, then an agent of the user, of
 * the project, and the built-in agent. If a project's agent is not trusted, or if no person agreed to it, only its
 * lists of tools apply. An unknown name is reported, and the built-in agent runs.
 * @param skill name of the skill that asks for it
 * @throws SkillsError `E_INVALID_SKILL` if the file of the agent is broken
 */
export async function chooseAgent(
  name: string,
  skill: string,
  { given, folders, trust, signal }: AgentChoice,
): Promise<ChosenAgent> {
  const inCode = given.get(name)
  if (inCode !== undefined) return { agent: inCode }
  const { agents, broken } = await folders.find()
  const found = agents.find(({ agent }) => agent.name === name)
  if (found !== undefined) {
    const { agent, path } = found
    const standing = await standingOf(found, trust, signal)
    if (standing === 'unagreed') {
      folders.tell({
        severity: 'warning',
        type: 'validation',
        code: 'not-agreed',
        path,
        message: `Of the agent "${name}", only the lists of tools are used, because its file is new or changed since its folder was trusted.`,
        hint: 'Read the file of the agent, then trust the folder again.',
      })
    }
    return { path, agent: standing === 'agreed' ? agent : restrictionsOf(agent) }
  }
  const wrong = broken.find(one => one.name === name)
  if (wrong !== undefined) {
    throw new SkillsError(
      'E_INVALID_SKILL',
      `"${skill}" should run as the agent "${name}", but ${wrong.path} ${wrong.problem}`,
      { hint: 'Correct that file.' },
    )
  }
  if (name === generalPurpose.name) return { agent: generalPurpose }
  const known = [...new Set([generalPurpose.name, ...given.keys(), ...agents.map(({ agent }) => agent.name)])].toSorted(
    compareCodeUnits,
  )
  folders.tell({
    severity: 'warning',
    type: 'validation',
    code: 'unknown-agent',
    name: skill,
    field: 'agent',
    message: `"${skill}" should run as the agent "${name}", which does not exist. It runs as ${generalPurpose.name} instead.`,
    hint: `The agents are ${known.join(', ')}.`,
  })
  return chooseAgent(generalPurpose.name, skill, { given, folders, trust, signal })
}

async function standingOf(
  { standIn, claim }: AgentFile,
  trust: KindAccess<Trust>,
  signal: AbortSignal,
): Promise<'untrusted' | 'unagreed' | 'agreed'> {
  const verdict = await trust.first((one, call) => one.judge(standIn, false, call), { signal })
  if (verdict?.level !== 'trusted') return 'untrusted'
  if (claim === undefined) return 'agreed'
  const counts = await trust.first((one, call) => one.agrees?.([claim], call), { signal })
  return counts === undefined || counts[0] === true ? 'agreed' : 'unagreed'
}

/** Returns only the lists of tools of an untrusted agent: its prompt, skills and model do not count. */
function restrictionsOf({ name, tools, disallowedTools }: AgentDefinition): AgentDefinition {
  return { name, tools, disallowedTools }
}
