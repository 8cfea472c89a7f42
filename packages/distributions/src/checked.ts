import { agents } from './agents/index.js'
import type { Checked } from './distribution.js'

export type { Checked } from './distribution.js'

type Agents = typeof agents
type Followed = { [N in keyof Agents]: Agents[N] extends { readonly checked: Checked } ? N : never }[keyof Agents]

/**
 * Released programs that distributions follow, by name of the distribution. Reading the table loads no distribution. A
 * distribution without an entry follows a description of a program, or is this project's own.
 */
export const checkedAgainst = Object.fromEntries(
  Object.entries(agents).flatMap(([name, agent]) => ('checked' in agent ? [[name, agent.checked]] : [])),
) as Readonly<Record<Followed, Checked>>
