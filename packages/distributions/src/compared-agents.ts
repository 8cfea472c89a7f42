import { agentsNamed, type FollowedAgent } from './agents.js'
import { distributionNames } from './distribution-named.js'
import { standard } from './agents/standard/index.js'

/** The standard distribution without built-in commands, which only make sense in a conversation. */
const plain: FollowedAgent = {
  name: 'standard',
  checked: undefined,
  make: options => standard({ ...options, builtin: false }),
}

/**
 * Returns agents for a comparison of skills in files, with `standard` in the form that the commands for comparing
 * skills use. Rejects as {@link agentsNamed} does.
 * @param names default: the distributions that were checked against a released program
 */
export async function comparedAgents(names?: readonly string[]): Promise<readonly FollowedAgent[]> {
  return (await agentsNamed(names)).map(agent => (agent.name === plain.name ? plain : agent))
}

/**
 * Returns the agent that decides what fields mean: the distribution in use, or `standard` if the distribution in use is
 * a module.
 * @param name name of the distribution in use
 */
export async function referenceAgent(name: string): Promise<FollowedAgent> {
  const [agent = plain] = distributionNames.some(one => one === name) ? await comparedAgents([name]) : []
  return agent
}
