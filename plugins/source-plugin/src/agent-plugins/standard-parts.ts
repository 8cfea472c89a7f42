import type { FieldFinding, SkillFile } from '@skills/skill-md/internal'
import type { SkillFields } from '@skills/skill-md'
import type { StandardServer } from './server-rules.js'

/** Parts of a plugin that only a manifest of the Agent Plugins standard has. */
export interface StandardParts {
  /** Servers of its `mcp.json` that can be used, in the order of the file. */
  readonly servers: readonly (readonly [name: string, server: StandardServer])[]
  /** Returns errors for a skill that breaks the Agent Skills standard: such a skill is not loaded. */
  checkSkill(fields: SkillFields, file: SkillFile): readonly FieldFinding[]
}
