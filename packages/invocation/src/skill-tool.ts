export { cutTo, ellipsis, graphemesIn } from './skill-tool/cut-to.js'
export {
  enginePort,
  type EnginePort,
  type EnginePortOptions,
  type ModelQuestion,
  type ModelRequest,
  type PermissionOptions,
} from './skill-tool/engine-port.js'
export type { ListingTruncated } from './skill-tool/events.js'
export type { Refusal, RefusalTexts, ValidationCode } from './skill-tool/find-skill.js'
export { forModel } from './skill-tool/for-model.js'
export {
  formatterKind,
  type Formatter,
  type Listing,
  type ListingContext,
  type ListingEntry,
} from './skill-tool/formatter.js'
export { ListingRecord, type SkillListing } from './skill-tool/listing-record.js'
export { Listings, type ListingsOptions } from './skill-tool/listings.js'
export {
  modelTools,
  textForModel,
  type ModelTool,
  type ModelToolsOptions,
  type ToolAnswer,
} from './skill-tool/model-tools.js'
export { oneLine, type Escape } from './skill-tool/one-line.js'
export { skillReminder, type ReminderOptions } from './skill-tool/reminder.js'
export type { JsonSchema } from './skill-tool/schema.js'
export { strategyKind, type Draft, type Moment, type Strategies, type Strategy } from './skill-tool/strategy.js'
export {
  searchIndex,
  type SearchHit,
  type SearchIndex,
  type SearchIndexOptions,
  type SearchReason,
} from './skill-tool/search-index.js'
export { nameTermsOf, searchTextOf, termsOf, type SearchField, type SearchText } from './skill-tool/search-text.js'
export {
  searchTool,
  searchToolName,
  type FoundSkill,
  type SearchEnded,
  type SearchOutcome,
  type SearchPort,
  type SearchTool,
  type SearchToolOptions,
} from './skill-tool/search-tool.js'
export {
  skillTool,
  type GivenSkill,
  type SkillTool,
  type SkillToolOptions,
  type ToolContext,
  type ToolPermission,
  type Validation,
} from './skill-tool/skill-tool.js'
export type { Ended, ToolResult } from './skill-tool/tool-result.js'
export { listedBy, viewsOf, type Views, type Visibility } from './skill-tool/views.js'
