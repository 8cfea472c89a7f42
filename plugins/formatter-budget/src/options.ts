// Parts of the formatter that a distribution needs without loading it.

export { formatterOptions } from './strategy-options.js'
export type { AnyListing, BudgetFormatterOptions, ListingSettings } from './strategy-options.js'
