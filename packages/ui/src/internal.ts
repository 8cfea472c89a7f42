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
} from './api.js'
export type { ReportOptions } from './report.js'
export type { UiOptions, UiServer } from './serve-ui.js'
