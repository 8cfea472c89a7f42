/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { Behavior } from '@skills/rules'
export type { FileTools, Rule } from '@skills/rules/internal'
export type { GivenRules, RuleUpdate, WrittenRule } from './rule-book.js'
export { claimsOfSettings } from './project-claims.js'
export { mostProjectRules, type SettingsFile } from './settings-files.js'
export type { NarrowingSource, WildcardMap, WildcardSource } from './wildcard-rules.js'
