export { budgetFormatter } from './budget-formatter.js'
export type {
  AnyListing,
  BudgetFormatterOptions,
  CutoffListing,
  FairListing,
  FixedListing,
  GroupedListing,
  OtherListing,
  OwnStrategy,
  ProportionalListing,
  StrategyName,
  XmlListing,
} from './options.js'
export type { BudgetOptions } from './budget.js'
export type { Use } from './rank.js'
