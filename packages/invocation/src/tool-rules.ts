export { allowsNothing, type AllowsNothing } from './tool-rules/allows-nothing.js'
export { covers } from './tool-rules/covers.js'
export {
  knownFileTools,
  fileUseOf,
  namedFilesProbe,
  type FileProbe,
  type FileTools,
  type FileUse,
  type PathPlace,
} from './tool-rules/file-tools.js'
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
} from './tool-rules/rule.js'
export { broadForm, broadProbe, strictProbe, withoutBlanks, type Purpose, type ToolUse } from './tool-rules/probe.js'
export { findEach, RuleSet, type Found, type Probe, type RuleSetOptions } from './tool-rules/rule-set.js'
export { simpleCommand, simplePowerShellCommand } from './tool-rules/simple-command.js'
export { filesInScript } from './tool-rules/script-words.js'
export { namesTool, toolOf } from './tool-rules/tool-name.js'
export { splitAlternatives, ToolRules, type ToolRuleProblem } from './tool-rules/tool-rules.js'
export { fitsWildcard, type Candidate } from './tool-rules/wildcard.js'
export { isHarmless, openPrefix } from './tool-rules/programs/harmless.js'
export { effectsOf, type Effects, type FoundEffect, type Word } from './tool-rules/programs/effects.js'
export { runsAnything } from './tool-rules/programs/table.js'
export type { Effect } from './tool-rules/programs/program.js'
