export { covers } from './covers.js'
export { escapeContent, formatRule, isShell, parseRule, type Behavior, type RuleContent } from './rule.js'
export type {
  Caller,
  OnAsk,
  Permission,
  PermissionDecision,
  PermissionRequest,
  RuleSuggestion,
  TrustLevel,
} from './permission.js'
export { namesTool, toolOf } from './tool-name.js'
export { splitAlternatives, ToolRules } from './tool-rules.js'
export { fitsWildcard } from './wildcard.js'
