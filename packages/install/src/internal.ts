/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export { agreementFor, refuseOther, type Agreement } from './agreement.js'
export type { CiOptions, CiResult } from './ci.js'
export type { InstallContext, InstallOptions } from './context.js'
export type { Lock, LockedSkill, Manifest, WantedSkill } from './lock.js'
export type { Resolved } from './resolution.js'
export type { OpenedSource } from './open-source.js'
export type { OpenOptions, Progress } from './open-options.js'
export { installPlace, type InstallPlace } from './place.js'
export type { AddOptions, PlannedSkill } from './plan.js'
export { isRefused, masked } from './error.js'
export { readOffered, type OfferedFiles } from './read-offered.js'
export { powersOfFiles } from './powers.js'
export { comparePowers, isBeyond, type PowerDifference, type Powers } from './powers.js'
export { sha256 } from './content-cache.js'
export { foldedPath, isSkillName, problemOfName } from './file-name.js'
export {
  digestOf,
  type FoundSkill,
  type SkillContent,
  type SkillLimits,
  largeLimits,
  ownOf,
  usualLimits,
} from './skill-files.js'
export { lookAtOffered } from './offered-look.js'
export { withOffered, type Offer, type OfferedSkill } from './offered-skills.js'
export { gitProblems } from './git-version.js'
export { installProblems } from './install-problems.js'
export { isSeen, seenBy } from './seen-by.js'
export { agentCatalog } from './agent-catalog.js'
export { missesIn, type Sight } from './sights.js'
export type { OutdatedSkill } from './outdated.js'
export type { GitSource } from './source.js'
export type { SyncOptions } from './sync.js'
export { unknownSkill } from './unknown-skill.js'
export type { Difference } from './differences.js'
