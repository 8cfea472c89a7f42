import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import { agentFolders } from './agent-files.js'
import type { AgentDefinition } from './agent.js'

export const forkExecutorOptions = s.options('forkExecutor()', {
  /** Agents in code, which come before those of files. */
  agents: s.list(s.typed<AgentDefinition>('an agent definition', 'name')).default([]),
  /**
   * Folders that hold `agents/*.md`, in the home folder and in those of the project. Default: `.claude`. Empty: agents
   * in code alone.
   */
  folders: s.list(s.text()).default(agentFolders),
  /** What a skill that names no agent runs as. */
  defaultAgent: s.text().default('general-purpose'),
  /** Milliseconds that a fork may take. */
  limitMs: s.number({ above: 0 }).default(30 * 60_000),
  /** Answers of the model after which a fork has to end. */
  maxSteps: s.number({ above: 0 }).default(50),
  /** How often hooks of `SubagentStop` may have one fork go on. 0: never. */
  maxContinuations: s.number({ from: 0 }).default(8),
  /** Forks within forks. */
  maxDepth: s.number({ above: 0 }).default(8),
  /** Milliseconds that `close()` waits for a runner that was told to stop. */
  graceMs: s.number({ from: 0 }).default(5000),
  /**
   * What a fork does without whose skill lists no tools. Default: `Skill`, `Agent` and `Task`, so that it does not fork
   * itself.
   */
  without: s.list(s.text()).default(['Skill', 'Agent', 'Task']),
  /** Names of the existing tools. A skill or agent that names another is reported. Default: unknown, no report. */
  knownTools: s.list(s.text()),
  /** What the result says of a sub-agent that said nothing. */
  emptyResult: s.text().default('Skill execution completed.'),
  /**
   * Where the text of the skill goes: `message` (default) is the first message, of which it is all; `system` is the
   * system prompt, and the message is the arguments or `Execute this skill task.`
   */
  prompt: s.oneOf('message', 'system').default('message'),
})

export interface ForkExecutorOptions extends s.OptionsOf<typeof forkExecutorOptions> {}

export type ForkSettings = ReturnType<typeof forkSettings>

/** The options with their defaults. Throws `E_INVALID_OPTION`. */
export function forkSettings(given?: ForkExecutorOptions) {
  const settings = forkExecutorOptions.read(given)
  const names = settings.agents.map(({ name }) => name)
  const twice = names.find((name, at) => name.trim() === '' || names.indexOf(name) !== at)
  if (twice !== undefined)
    refuse(
      'agents',
      `the name ${JSON.stringify(twice)} ${twice.trim() === '' ? 'for an agent' : 'twice'}`,
      'Give each agent a name of its own.',
    )
  return settings
}

function refuse(name: string, value: unknown, hint: string): never {
  throw new SkillsError('E_INVALID_OPTION', `The option ${name} of forkExecutor() has ${String(value)}.`, { hint })
}
