/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export { allowsNothing, type AllowsNothing } from './allows-nothing.js'
export {
  knownFileTools,
  fileUseOf,
  namedFilesProbe,
  type FileProbe,
  type FileTools,
  type FileUse,
  type PathPlace,
} from './file-tools.js'
export { escapePath, type Rule, type RuleOptions, type RuleParts, type RuleProblem } from './rule.js'
export { broadForm, broadProbe, strictProbe, withoutBlanks, type Purpose, type ToolUse } from './probe.js'
export { findEach, RuleSet, type Found, type Probe, type RuleSetOptions } from './rule-set.js'
export { isName, simpleCommand, simpleCommands, simplePowerShellCommand } from './simple-command.js'
export { filesInScript } from './script-words.js'
export type { ToolRuleProblem } from './tool-rules.js'
export type { Candidate } from './wildcard.js'
export { isHarmless, openPrefix } from './programs/harmless.js'
export { effectsOf, type Effects, type FoundEffect, type Word } from './programs/effects.js'
export { runsAnything } from './programs/table.js'
export type { Effect } from './programs/program.js'
