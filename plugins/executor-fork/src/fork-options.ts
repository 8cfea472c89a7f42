import { SkillsError } from '@skills/core'
import { agentFolders } from './agent-files.js'
import type { AgentDefinition } from './agent.js'

export interface ForkExecutorOptions {
  /** Agents in code, which come before those of files. */
  readonly agents?: readonly AgentDefinition[] | undefined
  /**
   * Folders that hold `agents/*.md`, in the home folder and in those of the project. Default: `.claude`. Empty: agents
   * in code alone.
   */
  readonly folders?: readonly string[] | undefined
  /** What a skill that names no agent runs as. Default: `general-purpose`. */
  readonly defaultAgent?: string | undefined
  /** Milliseconds that a fork may take. Default: 30 minutes. */
  readonly limitMs?: number | undefined
  /** Answers of the model after which a fork has to end. Default: 50. */
  readonly maxSteps?: number | undefined
  /** How often hooks of `SubagentStop` may have one fork go on. 0: never. Default: 8. */
  readonly maxContinuations?: number | undefined
  /** Forks within forks. Default: 8. */
  readonly maxDepth?: number | undefined
  /** Milliseconds that `close()` waits for a runner that was told to stop. Default: 5,000. */
  readonly graceMs?: number | undefined
  /**
   * What a fork does without whose skill lists no tools. Default: `Skill`, `Agent` and `Task`, so that it does not fork
   * itself.
   */
  readonly without?: readonly string[] | undefined
  /** Names of the existing tools. A skill or agent that names another is reported. Default: unknown, no report. */
  readonly knownTools?: readonly string[] | undefined
  /** What the result says of a sub-agent that said nothing. Default: `Skill execution completed.` */
  readonly emptyResult?: string | undefined
  /**
   * Where the text of the skill goes: `message` (default) is the first message, of which it is all; `system` is the
   * system prompt, and the message is the arguments or `Execute this skill task.`
   */
  readonly prompt?: 'message' | 'system' | undefined
}

export type ForkSettings = {
  readonly [K in keyof ForkExecutorOptions]-?:
    | Exclude<ForkExecutorOptions[K], undefined>
    | (K extends 'knownTools' ? undefined : never)
}

/** The options with their defaults. Throws `E_INVALID_OPTION`. */
export function forkSettings(options: ForkExecutorOptions): ForkSettings {
  const {
    agents = [],
    folders = agentFolders,
    defaultAgent = 'general-purpose',
    limitMs = 30 * 60_000,
    maxSteps = 50,
    maxContinuations = 8,
    maxDepth = 8,
    graceMs = 5000,
    without = ['Skill', 'Agent', 'Task'],
    knownTools,
    emptyResult = 'Skill execution completed.',
    prompt = 'message',
  } = options
  for (const [name, value] of Object.entries({ limitMs, maxSteps, maxDepth }))
    if (!(value > 0)) refuse(name, value, 'Give a number above zero.')
  for (const [name, value] of Object.entries({ maxContinuations, graceMs }))
    if (!(value >= 0)) refuse(name, value, 'Give a number that is not below zero.')
  const names = agents.map(({ name }) => name)
  const twice = names.find((name, at) => name.trim() === '' || names.indexOf(name) !== at)
  if (twice !== undefined)
    refuse(
      'agents',
      `the name ${JSON.stringify(twice)} ${twice.trim() === '' ? 'for an agent' : 'twice'}`,
      'Give each agent a name of its own.',
    )
  return {
    agents,
    folders,
    defaultAgent,
    limitMs,
    maxSteps,
    maxContinuations,
    maxDepth,
    graceMs,
    without,
    knownTools,
    emptyResult,
    prompt,
  }
}

function refuse(name: string, value: unknown, hint: string): never {
  throw new SkillsError('E_INVALID_OPTION', `The option ${name} of forkExecutor() has ${String(value)}.`, { hint })
}
