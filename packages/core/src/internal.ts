/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { CatalogParts } from './catalog.js'
export type { CatalogRules, ProvidedResult } from './build-catalog.js'
export type { DeadlineOptions } from './deadline.js'
export type { KindRules } from './kind.js'
export type { AskCall } from './provider.js'
export type { FieldValue } from './fields/field.js'
export type { AskingValue, FieldName, KnownField, LimitedField, ListedField, SetFields } from './fields/field-table.js'
export { editsBetween } from './name.js'
export { holdsUnseen, oddityOf } from './name-look.js'
