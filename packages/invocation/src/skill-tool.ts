export { enginePort, type EnginePort, type EnginePortOptions } from './skill-tool/engine-port.js'
export { forModel } from './skill-tool/for-model.js'
export {
  formatterKind,
  type Formatter,
  type Listing,
  type ListingContext,
  type ListingEntry,
} from './skill-tool/formatter.js'
export { ListingRecord } from './skill-tool/listing-record.js'
export { Listings } from './skill-tool/listings.js'
export { modelTools, type ModelTool } from './skill-tool/model-tools.js'
export { oneLine } from './skill-tool/one-line.js'
export { skillReminder } from './skill-tool/reminder.js'
export { strategyKind, type Draft, type Moment, type Strategies, type Strategy } from './skill-tool/strategy.js'
export { searchIndex } from './skill-tool/search-index.js'
export { searchTextOf } from './skill-tool/search-text.js'
export { searchTool, searchToolName } from './skill-tool/search-tool.js'
export { skillTool, type SkillTool, type SkillToolOptions } from './skill-tool/skill-tool.js'
export { listedBy, viewsOf } from './skill-tool/views.js'
