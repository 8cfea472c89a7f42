/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { FollowedAgent } from './agents.js'
export type { Checked } from './checked.js'
export type { DistributionName, LoadedDistribution } from './distribution-named.js'
export type { Definition } from './define-distribution.js'
export type { SharedReadsOptions } from '@skills/files/internal'
export type { StandardOptions } from './agents/standard/index.js'
export type { GivenRules, Rule } from '@skills/permission-rules/internal'
export type { PermissionRules, PermissionRulesOptions } from '@skills/permission-rules'
export type { PermissionHost } from './find-settings.js'
export type { AgreedItem, ConsentItem, ItemState, Revocation, TrustedFolder } from '@skills/trust/internal'
export type { TrustCallOptions } from '@skills/trust'
export type { ConfigurationFile, ConfigurationHost } from './find-configuration.js'
export type { DistributionFunction, LoadDistributionOptions, UnagreedDistribution } from './own-distribution.js'
export { settingsConsent, type Consent, type ConsentOptions } from './consent.js'
export { fitsListing } from './fits-listing.js'
export { hasSettings } from './find-settings.js'
export type { MakeDistribution } from './distribution.js'
export { comparedAgents, referenceAgent } from './compared-agents.js'
export { trustQuestion, type TrustQuestion } from './trust-question.js'
export { isOfFolder, isOfProject, pluginFolderOf } from './trusted-with-folder.js'
