export { budgetFormatter, type BudgetFormatterOptions, type StrategyName } from './budget-formatter.js'
export type { BudgetOptions } from './budget.js'
export type { Use } from './rank.js'
