/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export { Agreements } from './agreements.js'
export { consentItem, type AgreedItem, type ConsentItem, type ItemState } from './consent.js'
export type { Revocation, TrustedFolder } from './trusted-folders.js'
export type { RememberCall } from './remembered.js'
export { skillItem } from './skill-item.js'
export type { SkillLimits } from './skill-parts.js'
export type { SourceTrust, StandingOptions } from './standing.js'
