export { allowsNothing, type AllowsNothing } from './allows-nothing.js'
export { covers } from './covers.js'
export {
  knownFileTools,
  fileUseOf,
  namedFilesProbe,
  type FileProbe,
  type FileTools,
  type FileUse,
  type PathPlace,
} from './file-tools.js'
export {
  escapeContent,
  escapePath,
  formatRule,
  isShell,
  parseRule,
  type Behavior,
  type Rule,
  type RuleContent,
  type RuleOptions,
  type RuleParts,
  type RuleProblem,
} from './rule.js'
export type {
  Caller,
  OnAsk,
  Permission,
  PermissionDecision,
  PermissionRequest,
  RuleSuggestion,
  TrustLevel,
} from './permission.js'
export { broadForm, broadProbe, strictProbe, withoutBlanks, type Purpose, type ToolUse } from './probe.js'
export { findEach, RuleSet, type Found, type Probe, type RuleSetOptions } from './rule-set.js'
export { isName, simpleCommand, simpleCommands, simplePowerShellCommand } from './simple-command.js'
export { filesInScript } from './script-words.js'
export { namesTool, toolOf } from './tool-name.js'
export { splitAlternatives, ToolRules, type ToolRuleProblem } from './tool-rules.js'
export { fitsWildcard, type Candidate } from './wildcard.js'
export { isHarmless, openPrefix } from './programs/harmless.js'
export { effectsOf, type Effects, type FoundEffect, type Word } from './programs/effects.js'
export { runsAnything } from './programs/table.js'
export type { Effect } from './programs/program.js'
