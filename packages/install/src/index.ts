export { agreementFor, type Agreement } from './agreement.js'
export { ci, type CiOptions, type CiResult } from './ci.js'
export { installContext, type InstallContext, type InstallOptions } from './context.js'
export { installErrorCodes } from './error.js'
export { readLock, readManifest, type Lock, type LockedSkill, type Manifest, type WantedSkill } from './lock.js'
export type { Resolved } from './resolution.js'
export { openSource, type OpenedSource } from './open-source.js'
export type { OpenOptions, Progress } from './open-options.js'
export { installPlace, type InstallPlace } from './place.js'
export { applyPlan, removeSkills } from './apply-plan.js'
export { planAdd, planUpdate, type AddOptions, type Plan, type PlannedSkill } from './plan.js'
export { comparePowers, powersOf, type PowerDifference, type Powers } from './powers.js'
export {
  findSkills,
  largeLimits,
  readSkill,
  usualLimits,
  type FoundSkill,
  type SkillContent,
  type SkillLimits,
  ownOf,
} from './skill-files.js'
export { outdated, type OutdatedSkill } from './outdated.js'
export { parseSource, type GitSource, type Source } from './source.js'
export { sync, type SyncOptions } from './sync.js'
export { unknownSkill } from './unknown-skill.js'
export { verify, type Difference } from './verify.js'
