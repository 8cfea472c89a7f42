import type { Effort } from '@skills/core'

/** A type of agent that a fork can run as. */
export interface AgentDefinition {
  /** What a skill's `agent` names. */
  readonly name: string
  readonly description?: string | undefined
  /** What precedes its conversation. Default: what the runner has for its agents. */
  readonly system?: string | undefined
  /** The only tools it has, written as rules: `Read`, `Bash(git:*)`. Default: all that a fork can have. */
  readonly tools?: readonly string[] | undefined
  /** Tools that it does not have, written as rules. */
  readonly disallowedTools?: readonly string[] | undefined
  /** Default: the model of the agent that forks. A skill's own comes before it. */
  readonly model?: string | undefined
  /** A skill's own comes before it. */
  readonly effort?: Effort | undefined
  /** Skills whose text it begins with, in this order. */
  readonly skills?: readonly string[] | undefined
}

/** What a skill that names no agent runs as, unless a definition of that name says otherwise. */
export const generalPurpose: AgentDefinition = {
  name: 'general-purpose',
  description: 'Does anything that a skill asks for.',
}
