/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export { budgetFor, budgetOf } from './budget.js'
export { formatterSettings, type AnyListing, type OwnStrategy, type StrategyName } from './strategy-options.js'
export type { Use } from './rank.js'
