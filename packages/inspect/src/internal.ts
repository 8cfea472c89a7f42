/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export { checkPlace } from './check-place.js'
export { isPlaceholder, placeholders } from './check-placeholder.js'
export { lookAtFolder, type FolderFile, type FolderSkill, type GivenFolder } from './given-folder.js'
export { keyOf, type CatalogLint, type CatalogLintOptions } from './lint-catalog.js'
export { countsOf, type LintCounts, type LintedFile, type LintOptions, type LintResult } from './lint-files.js'
export { hasManifest, readPackageFile, type PackageFile } from './package-file.js'
export { placesOf, pluginHooksOf } from './plugin-hooks.js'
export { replaceFile } from './replace-file.js'
export { walkForSkills, type SkippedFolders } from './skill-walk.js'
export { TextPlaces } from './text-places.js'
export { joinAudits, type CatalogAudit, type CatalogAuditOptions } from './audit-catalog.js'
export type { AuditCode, AuditedSkill, AuditFinding, AuditLevel } from './audit-finding.js'
export type { AuditOptions } from './audit-skill.js'
export type { CheckOptions } from './check-file.js'
export { cycleChain, cycleHint, cycleSentence } from './cycle-sentence.js'
export type { FileBeside, FilesBeside, FilesBesideOptions } from './files-beside.js'
export type { FindOptions, FoundSkillFiles } from './find-skill-files.js'
export type { RequirementRow, RequirementTree } from './requirement-tree.js'
export type { SetField } from './set-fields.js'
export type { OverlapOptions, OverlapPair, OverlapSkill, WordOverlap } from './word-overlap.js'
export type { FoundCommand, SearchSkillsOptions } from './search-skills.js'
export type { SearchableCommand } from './searchable-command.js'
export type { UnreadBody } from './search-bodies.js'
export type { CompatOptions } from './compat/compat.js'
export { agentEngine, lookAt, type AgentLook, type SeenFile } from './compat/agent-look.js'
export type {
  AgentCompat,
  AgentDistribution,
  AgentDistributionOptions,
  AgentSummary,
  Change,
  Compat,
  CompatAgent,
  FieldUse,
  Found,
  SkillCompat,
} from './compat/compat-types.js'
export { isLost } from './compat/summary.js'
export type { CompatDiagnosticsOptions } from './compat/compat-diagnostics.js'
export { cellOf, cellWords } from './cell-words.js'
export { checkText, openToEdit, repairOf, saveText } from './edit.js'
export type { SarifLog, SarifOptions } from './report/sarif.js'
export { publishedFolders, recognizeFolder, sortFolders, type RecognizedFolder } from './recognize-folder.js'
export { pathsHere, skillsHere } from './skills-here.js'
export { catalogWith } from './catalog-with.js'
export { activeOnes, allOnes, type Listed } from './listed.js'
export { agentsTold, type AgentTold, type AgentsToldCall } from './compat/agents-told.js'
export { nestedNotes } from './nested-notes.js'
export { problemsOf } from './problems.js'
export { readShown, type ShownSkill } from './shown-skill.js'
export { renderAlone } from './render/render-alone.js'
export { renderSkill, type Rendered } from './render/render-skill.js'
export type { Segment } from './render/segments.js'
export { elsewhereProblem, skillsElsewhere, type ElsewhereSearch, type FolderElsewhere } from './skills-elsewhere.js'
export { applyPlaceRepair, placeRepairOf, undoPlaceRepair, type PlaceRepair } from './place-repair.js'
export {
  diagnose,
  harms,
  mend,
  mendedTop,
  nodeProblems,
  worstFirst,
  type Finding,
  type Harm,
  type Mended,
} from './diagnosis.js'
