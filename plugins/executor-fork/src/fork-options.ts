import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import { agentFolders } from './agent-files.js'
import type { AgentDefinition } from './agent.js'

export const forkExecutorOptions = s.options('forkExecutor()', {
  /** Agents defined in code. They win over those of files. */
  agents: s.list(s.typed<AgentDefinition>('an agent definition', 'name')).default([]),
  /**
   * Folders that contain `agents/*.md`, in the home folder and in those of the project. Default: `.claude`. Empty: only
   * agents defined in code.
   */
  folders: s.list(s.text()).default(agentFolders),
  /** Agent of a skill that names none. */
  defaultAgent: s.text().default('general-purpose'),
  /** Time limit of a fork in milliseconds. */
  limitMs: s.number({ above: 0 }).default(30 * 60_000),
  /** Most answers of the model in a fork. */
  maxSteps: s.number({ above: 0 }).default(50),
  /** Most times that hooks of `SubagentStop` may make one fork continue. 0: never. */
  maxContinuations: s.number({ from: 0 }).default(8),
  /** Deepest nesting of forks. */
  maxDepth: s.number({ above: 0 }).default(8),
  /** Milliseconds that `close()` waits for a runner that was told to stop. */
  graceMs: s.number({ from: 0 }).default(5000),
  /**
   * Tools that a fork does not have if nothing limits its tools. Default: `Skill`, `Agent` and `Task`, so that it does not
   * fork itself.
   */
  without: s.list(s.text()).default(['Skill', 'Agent', 'Task']),
  /**
   * Meaning of a skill's `allowed-tools`. `limit` (default): the fork has no other tools, and is still asked about them;
   * `grant`: the fork keeps all tools, and may use these unasked if the skill is trusted.
   */
  listedTools: s.oneOf('limit', 'grant').default('limit'),
  /** False if the hooks of a skill that runs in a fork do not run. Hooks of the conversation do in any case. */
  skillHooks: s.flag().default(true),
  /** Names of the existing tools. A skill or agent that names another is reported. Default: unknown, no report. */
  knownTools: s.list(s.text()),
  /** Result of a sub-agent that said nothing. */
  emptyResult: s.text().default('Skill execution completed.'),
  /**
   * Place of the skill's text. `message` (default): the first message, alone; `system`: the system prompt, and the
   * message is the arguments or `Execute this skill task.`
   */
  prompt: s.oneOf('message', 'system').default('message'),
})

export interface ForkExecutorOptions extends s.OptionsOf<typeof forkExecutorOptions> {}

export type ForkSettings = ReturnType<typeof forkSettings>

/** Reads the options with their defaults. Throws `E_INVALID_OPTION`. */
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
  throw new SkillsError(
    'E_INVALID_OPTION',
    `The option ${name} of forkExecutor() has an invalid value: ${String(value)}.`,
    { hint },
  )
}
