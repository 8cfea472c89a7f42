export { budgetFormatter } from './budget-formatter.js'
export type { BudgetFormatterOptions } from './strategy-options.js'
