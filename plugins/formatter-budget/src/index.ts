export { budgetFormatter } from './budget-formatter.js'
export type {
  AnyListing, BudgetFormatterOptions, CutoffListing, FairListing, FixedListing, GroupedListing, ProportionalListing, StrategyName, XmlListing,
} from './options.js'
export type { BudgetOptions } from './budget.js'
export type { Use } from './rank.js'
