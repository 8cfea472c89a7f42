export { budgetFormatter, type BudgetFormatterOptions } from './budget-formatter.js'
export type { BudgetOptions } from './budget.js'
export type { Use } from './rank.js'
