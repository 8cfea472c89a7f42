import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { agents } from './agents/index.js'
import { placedAgents, placedNames, type PlacedName } from './placed-agents.js'
import { distributionNames, type DistributionName } from './distribution-named.js'
import type { Host } from '@skills/core'
import type { Traces } from './distribution.js'

/** Name of an agent: of the distribution that follows it, or of one of which only the places are known. */
export type AgentName = DistributionName | PlacedName

/** Names of all agents. */
export const agentNames: readonly AgentName[] = [...distributionNames, ...placedNames]

/** Agent program that is used on this machine or in this project. */
export interface AgentHere {
  readonly name: AgentName
  /** First trace that was found: an absolute path. */
  readonly trace: string
}

/** Traces of the programs that distributions follow, by name. */
const followed: readonly (readonly [DistributionName, Traces])[] = distributionNames.flatMap(
  (name): readonly (readonly [DistributionName, Traces])[] => {
    const agent = agents[name]
    return 'traces' in agent ? [[name, agent.traces]] : []
  },
)

/** Traces of all agents that can be recognized, sorted by name. */
const traced: readonly (readonly [AgentName, Traces])[] = [
  ...followed,
  ...placedNames.map(name => [name, placedAgents[name].traces] as const),
].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Names of the agents that can be recognized and that a distribution follows, sorted. */
export const knownAgents: readonly DistributionName[] = followed.map(([name]) => name).toSorted()

/**
 * Finds out which agents are used here: by their files and folders in a project and in the home folder, and by their
 * programs on the search path. Only asks whether these exist; reads and runs nothing.
 * @param project root of the project, absolute
 */
export function agentsHere(project: string, host: Pick<Host, 'home' | 'env' | 'platform'>): readonly AgentHere[] {
  const isWindows = host.platform === 'win32'
  const folders = (host.env['PATH'] ?? '').split(isWindows ? ';' : ':').filter(isAbsolute)
  const endings = isWindows ? ['.exe', '.cmd'] : ['']
  return traced.flatMap(([name, { programs, home, project: own }]): readonly AgentHere[] => {
    const possible = [
      ...own.map(path => `${project}/${path}`),
      ...home.map(path => inHome(path, host)),
      ...programs.flatMap(program => folders.flatMap(folder => endings.map(end => `${folder}/${program}${end}`))),
    ]
    const trace = possible.find(path => existsSync(path))
    return trace === undefined ? [] : [{ name, trace }]
  })
}

/** Folders of the home folder that a variable moves. */
const moved = [
  ['.config', 'XDG_CONFIG_HOME'],
  ['.local/share', 'XDG_DATA_HOME'],
  ['.claude', 'CLAUDE_CONFIG_DIR'],
  ['.codex', 'CODEX_HOME'],
] as const

/** Returns where a file or folder of the home folder lies, given the variables that move folders. */
function inHome(path: string, { home, env }: Pick<Host, 'home' | 'env'>): string {
  for (const [folder, variable] of moved) {
    const place = env[variable] ?? ''
    if (isAbsolute(place) && (path === folder || path.startsWith(`${folder}/`)))
      return place + path.slice(folder.length)
  }
  return `${home}/${path}`
}
