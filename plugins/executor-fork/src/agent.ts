import type { Effort } from '@skills/core'

/** Type of agent that a fork can run as. */
export interface AgentDefinition {
  /** Name that a skill's `agent` refers to. */
  readonly name: string
  readonly description?: string | undefined
  /** System prompt. Default: the runner's own. */
  readonly system?: string | undefined
  /** Only tools that it has, written as rules: `Read`, `Bash(git:*)`. Default: all that a fork can have. */
  readonly tools?: readonly string[] | undefined
  /** Tools that it does not have, written as rules. */
  readonly disallowedTools?: readonly string[] | undefined
  /** Model. A skill's own model wins. Default: the model of the agent that forks. */
  readonly model?: string | undefined
  /** Effort. A skill's own effort wins. */
  readonly effort?: Effort | undefined
  /** Skills whose text it begins with, in this order. */
  readonly skills?: readonly string[] | undefined
}

/** Agent for a skill that names no agent. A definition with the same name replaces it. */
export const generalPurpose: AgentDefinition = {
  name: 'general-purpose',
  description: 'Does anything that a skill asks for.',
}
