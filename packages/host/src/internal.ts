/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { HostOptions, MadeWith, NamedOptions } from './host-options.js'
export type { InvokeOptions, SessionOptions } from './open-skills.js'
export type { SessionTool, SkillCall } from './session/session-tools.js'
export type {
  AgentSessionOptions,
  HostCall,
  SentLine,
  SessionCall,
  SessionDecision,
  SessionDistribution,
  SessionProgress,
  Shortened,
  ShownCall,
} from './session/session-options.js'
export { explainedUnder, toldRows, type ToldAnswer, type ToldExplanation } from './told-answers.js'
export { areSurelyTold } from './surely-told.js'
export { untoldSkills, type UntoldSkills } from './untold-skills.js'
export { toldListing, type ToldListing } from './told-listing.js'
