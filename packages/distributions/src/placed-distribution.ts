import { defineDistribution } from './define-distribution.js'
import { placedAgents, type PlacedAgent, type PlacedName } from './placed-agents.js'
import { fileParts, readAsFile } from './read-as-file.js'
import type { MakeDistribution } from './distribution.js'
import type { AgentFolder } from '@skills/files/internal'

/** Splits a path such as `.cursor/skills` into the folder of the agent and the folder in it. */
function folderOf(path: string): AgentFolder {
  const at = path.lastIndexOf('/')
  return { name: path.slice(0, at), skills: [path.slice(at + 1)] }
}

/**
 * Returns the distribution that looks for skills in the folders of an agent. It reads the fields that the specification
 * of skills requires, as `standard` does. It says nothing about the listing of the agent.
 */
export function placedDistribution(name: PlacedName): MakeDistribution {
  const { program, project, home }: PlacedAgent = placedAgents[name]
  return defineDistribution({
    ...readAsFile,
    name,
    says: `places of ${program} from documents alone`,
    precedence: ['project', 'user'],
    layout: { walk: 'flat', required: ['name', 'description'], fields: { only: ['name', 'description'] } },
    plugins: [['project', { folders: project.map(folderOf) }], ['user', { folders: home.map(folderOf) }], ...fileParts],
  })
}
