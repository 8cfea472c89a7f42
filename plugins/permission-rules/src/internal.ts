/**
 * Parts that only other packages of this project use. Versions do not cover them.
 * @internal
 */
export type { Behavior } from '@skills/rules'
export type { FileTools, Rule } from '@skills/rules/internal'
export type { GivenRules, RuleUpdate, WrittenRule } from './rule-book.js'
export { claimsOfSettings } from './project-claims.js'
export { mostProjectRules, type SettingsFile } from './settings-files.js'
export type { WildcardMap, WildcardSource } from './wildcard-rules.js'
