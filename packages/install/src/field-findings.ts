import { comparedAgents, referenceAgent } from '@skills/distributions/internal'
import { compat, compatDiagnostics } from '@skills/inspect/compat'

/**
 * Returns the fields that agents would ignore or read differently in skills that lie in no agent's folder yet, one line
 * each, by the folder of the skill.
 * @param folders folders of skills, absolute
 * @param names names of the agents
 */
export async function fieldFindings(
  folders: readonly string[],
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const [reference, agents] = [await referenceAgent('standard'), await comparedAgents(names)]
  const inFiles = async (files: readonly string[]): Promise<void> => {
    const compared = await compat({ reference, agents, files, signal })
    for (const skill of compared.skills) {
      // Skills of one name hide each other only where they are compared together.
      if (files.length > 1 && skill.agents.some(one => one.found === 'shadowed')) await inFiles([skill.path])
      else {
        const told = await compatDiagnostics({ skills: [skill] })
        // Findings about the place do not count.
        const lines = told.filter(({ field }) => field !== undefined).map(({ message }) => message)
        found.set(skill.path.slice(0, skill.path.lastIndexOf('/')), lines)
      }
    }
  }
  await inFiles(folders.map(folder => `${folder}/SKILL.md`))
  return found
}
