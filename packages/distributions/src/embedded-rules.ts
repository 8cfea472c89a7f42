import { comparedAgents } from './compared-agents.js'
import type { Distribution } from './distribution.js'

/**
 * Returns the rules by which agents find embedded commands. Each distribution is made and not used.
 * @param names default: the distributions that were checked against a released program, and `standard`
 */
export async function embeddedRules(
  names?: readonly string[],
): Promise<readonly { readonly name: string; readonly embedded: Distribution['shell'] }[]> {
  const agents =
    names === undefined
      ? [...(await comparedAgents(['standard'])), ...(await comparedAgents())]
      : await comparedAgents(names)
  const host = { cwd: '/', home: '/', env: {} }
  return agents.map(({ name, make }) => ({ name, embedded: make({ host, onDiagnostic: () => undefined }).shell }))
}
