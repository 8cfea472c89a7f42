/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { OwnStrategy, StrategyName } from './strategy-options.js'
export type { Use } from './rank.js'
