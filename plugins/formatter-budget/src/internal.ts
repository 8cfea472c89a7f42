/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export type { OwnStrategy, StrategyName } from './strategy-options.js'
export type { Use } from './rank.js'
