/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { InSession } from './session/in-session.js'
export type { InvokedSkill, InvokedSkillsOptions, RestoredSkill } from './invoked-skills.js'
export { restoredReminder } from './restored-reminder.js'
export type { AskedPermission, AskPermissionOptions, OwnToolCall } from './ask-permission.js'
export type { Decided } from './decision.js'
export type { DecisionOptions } from './decisions.js'
export { OutgoingPaths, skillAddress } from './outgoing-paths.js'
export { errorWithTexts, outcomeWithTexts, withTexts } from './skill-tool/for-model.js'
export { heardProgress, type Heard } from './heard-progress.js'
export type { HookDecision } from './hook-decision.js'
export type { SessionCall } from './hook-session.js'
export { doesMore } from './does-more.js'
export type { HookOwner } from './hooks.js'
export type { ApproveCall } from './trust.js'
export { describeUnsupported, type DeclaredHook, type HookProblem, type ReadHooks } from './read-hooks.js'
export type { RegisterHooksCall } from './register-hooks.js'
export { firstGrantingField, mayEmbedCommand } from './safe-properties.js'
export type { HookedSkill, SkillRef } from './session/skill-ref.js'
export type { Lost } from './session/restore-session.js'
export type { SessionOptions } from './session/session.js'
export type { SessionEngine, SkillValue } from './session/session-value.js'
export type { SlashCall, SlashRules } from './slash.js'
export { isOffered } from './tool-limits.js'
export type { Usage, UseCall } from './usage.js'
export { descriptionOf } from './skill-tool/description-of.js'
export { cutTo, ellipsis, graphemesIn } from './skill-tool/cut-to.js'
export type { ModelQuestion, ModelRequest, PermissionOptions } from './skill-tool/engine-port.js'
export type { ListingTruncated } from './skill-tool/events.js'
export type { Refusal, RefusalTexts, ValidationCode } from './skill-tool/find-skill.js'
export type { SkillListing } from './skill-tool/listing-record.js'
export type { ListingsOptions } from './skill-tool/listings.js'
export { textForModel, type ModelToolsOptions, type ToolAnswer } from './skill-tool/model-tools.js'
export type { Escape } from './skill-tool/one-line.js'
export type { ReminderOptions } from './skill-tool/reminder.js'
export type { SearchHit, SearchIndex, SearchIndexOptions, SearchReason } from './skill-tool/search-index.js'
export {
  bodyField,
  longestPart,
  longestQuery,
  mayBegin,
  queryStems,
  scoreOf,
  shareOf,
  soughtBy,
  wholeName,
  type QueryStems,
  type Sought,
  type Vocabulary,
} from './skill-tool/search-ranking.js'
export {
  nameTermsOf,
  searchFields,
  searchTextOf,
  termsOf,
  type SearchField,
  type SearchText,
} from './skill-tool/search-text.js'
export { ownersIn } from './skill-tool/listings.js'
export type { FoundEntries } from './skill-tool/catalog-search.js'
export type { FormatterContext, Shortlisted } from './skill-tool/formatter.js'
export { isTypingErrorOf, loadStems } from './skill-tool/search-words.js'
export type {
  FoundSkill,
  SearchEnded,
  SearchOutcome,
  SearchPort,
  SearchTool,
  SearchToolOptions,
} from './skill-tool/search-tool.js'
export type { GivenSkill, ToolContext, ToolPermission, Validation } from './skill-tool/skill-tool.js'
export type { Ended, ToolResult } from './skill-tool/tool-result.js'
export { ownChars, type ProgramListing, type Told, type ToldEngine, type ToldSkill } from './skill-tool/told-skill.js'
export { listingFor, ToldSkills, type ToldCall } from './skill-tool/told-skills.js'
export { reasonsUnder, untoldCommand } from './skill-tool/untold.js'
export type { Views, Visibility } from './skill-tool/views.js'
export type { MeasuredQueue, MeasuredRun } from './tracer.js'
