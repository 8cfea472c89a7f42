// Parts of the formatter that a distribution needs without loading it.

export { formatterOptions } from './strategy-options.js'
export type { AnyListing, BudgetFormatterOptions } from './strategy-options.js'
