/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { CatalogParts } from './catalog.js'
export type { CatalogRules, ProvidedResult } from './build-catalog.js'
export { hostNames, type DeadlineOptions } from './host.js'
export type {
  AskCall,
  CatalogOptions,
  KindRules,
  LargeAnswers,
  LargeCommands,
  LargePage,
  LargePageOptions,
  LargeSearchOptions,
} from './provider.js'
export type { CommandPage, FoundCommand } from './source.js'
export type { FieldValue } from './fields/field.js'
export type { AskingValue, FieldName, KnownField, LimitedField, ListedField, SetFields } from './fields/field-table.js'
export { editsBetween, holdsUnseen, lookOf, oddityOf } from './name.js'
