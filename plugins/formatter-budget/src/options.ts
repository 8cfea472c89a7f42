// What a distribution takes over from the formatter without loading it.

export { formatterOptions } from './strategy-options.js'
export type { AnyListing, BudgetFormatterOptions } from './strategy-options.js'
