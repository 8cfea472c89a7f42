export { auditCatalog, type CatalogAudit, type CatalogAuditOptions } from './audit-catalog.js'
export {
  auditCodes,
  auditLevels,
  highestLevel,
  reachesLevel,
  type AuditCode,
  type AuditedSkill,
  type AuditFinding,
  type AuditLevel,
} from './audit-finding.js'
export { auditSkill, type AuditOptions } from './audit-skill.js'
export type { CheckOptions } from './check-file.js'
export { cycleChain, cycleHint, cycleSentence } from './cycle-sentence.js'
export { filesBeside, type FileBeside, type FilesBeside, type FilesBesideOptions } from './files-beside.js'
export { findSkillFiles, type FindOptions, type FoundSkillFiles } from './find-skill-files.js'
export { lintCatalog, type CatalogLint, type CatalogLintOptions } from './lint-catalog.js'
export { lintFiles, type LintCounts, type LintedFile, type LintOptions, type LintResult } from './lint-files.js'
export { pluginHooksOf } from './plugin-hooks.js'
export { requirementTree, type RequirementRow, type RequirementTree } from './requirement-tree.js'
export { checkRequirements } from './requirements.js'
export { setFields, type SetField } from './set-fields.js'
export {
  wordOverlap,
  type OverlapOptions,
  type OverlapPair,
  type OverlapSkill,
  type WordOverlap,
} from './word-overlap.js'
export {
  searchSkills,
  skillSearch,
  type FoundCommand,
  type SearchSkillsOptions,
  type SkillSearch,
} from './search-skills.js'
export type { SearchableCommand } from './searchable-command.js'
export type { UnreadBody } from './search-bodies.js'
export type { SkippedFolders } from './skill-walk.js'
