import { knownAgents } from '@skills/distributions/internal'
import { standard } from '@skills/distributions/standard'
import { renderAlone } from '@skills/inspect/internal'
import { memoryState } from '@skills/state'
import { fieldFindings } from './field-findings.js'
import type { OfferedSkill } from './offered-skills.js'

/** Findings about a skill that is not installed: how agents read it, and the text that a model would get. */
export interface OfferedLook {
  /** Fields that agents ignore or read differently, one line each. */
  readonly fields: readonly string[]
  /** Text that a model would get. */
  readonly text: string
}

/** Finds out what agents make of a skill. Commands stay as written, and only the skill's own files can be included. */
export async function lookAtOffered({ folder }: OfferedSkill, signal: AbortSignal): Promise<OfferedLook> {
  const project = folder.slice(0, folder.indexOf('/.agents/skills/'))
  const distribution = standard({
    host: { cwd: project, home: `${project}/home`, env: {} },
    managed: { dirs: [] },
    state: memoryState(),
    onDiagnostic: () => undefined,
    builtin: false,
    bundled: false,
    activation: false,
  })
  const text = await renderAlone(distribution, signal)
  return {
    fields: (await fieldFindings([folder], knownAgents, signal)).get(folder) ?? [],
    // The folder is gone when a person reads this.
    text: text.replaceAll(`${project}/`, ''),
  }
}
