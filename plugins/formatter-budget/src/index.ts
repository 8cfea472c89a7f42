export { budgetFormatter } from './budget-formatter.js'
export { formatterOptions } from './options.js'
export type { AnyListing, BudgetFormatterOptions, OwnStrategy, StrategyName } from './options.js'
export type { Use } from './rank.js'
