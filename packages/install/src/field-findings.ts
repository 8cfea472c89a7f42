import { comparedAgents, referenceAgent } from '@skills/distributions/internal'
import { compat, compatDiagnostics } from '@skills/inspect/compat'
import type { Host } from '@skills/core'

/** Returns the fields that agents would ignore or read differently in a staged skill, one line each. */
export async function fieldFindings(
  folder: string,
  names: readonly string[],
  host: Host,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (names.length === 0) return []
  const [reference, agents] = [await referenceAgent('standard'), await comparedAgents(names)]
  const found = await compatDiagnostics(
    await compat({ reference, agents, host, files: [`${folder}/SKILL.md`], signal }),
  )
  // A staged skill is in no agent's folder yet, so findings about its place do not count.
  return found.filter(({ field }) => field !== undefined).map(({ message }) => message)
}
