/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type {
  About,
  Change,
  DraftJson,
  EvalsJson,
  ExplanationJson,
  FileJson,
  LayerJson,
  LeftOut,
  ListingAsked,
  ListingJson,
  NeedJson,
  NeedsJson,
  PageAnswers,
  Question,
  Reading,
  ReadNode,
  ReadTag,
  Report,
  RunPage,
  SkillJson,
  SkillPage,
  SkillRow,
  ToldJson,
} from './api.js'
export type { ReportOptions } from './report.js'
export type { UiOptions, UiServer } from './serve-ui.js'
export { EngineAnswers } from './answers/engine-answers.js'
export type { ShownEngine } from './answers/shown-engine.js'
export { explanationJson } from './json/explanation-json.js'
export { listingJson, sharesOf } from './json/listing-json.js'
export { shownJson } from './json/shown-json.js'
export { toldJson } from './json/told-json.js'
export { skillJson, writeSkillsJson } from './json/skill-json.js'
