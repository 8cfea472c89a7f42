export { Agreements } from './agreements.js'
export { consentItem, type AgreedItem, type ConsentItem, type ItemState } from './consent.js'
export {
  folderToTrust,
  isTrustedFolder,
  revokeFolder,
  trustedFolders,
  trustFolder,
  type Revocation,
  type TrustCallOptions,
  type TrustedFolder,
} from './trusted-folders.js'
export { trust, type TrustOptions } from './trust.js'
export type { RememberCall } from './remembered.js'
export { skillItem } from './skill-item.js'
export type { SkillLimits } from './skill-parts.js'
export type { SourceTrust, StandingOptions } from './standing.js'
