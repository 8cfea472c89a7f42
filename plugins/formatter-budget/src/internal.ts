/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export { fitsListing } from './fits-listing.js'
export type { AnyListing, OwnStrategy, StrategyName } from './strategy-options.js'
export type { Use } from './rank.js'
