export { compat, type CompatOptions } from './compat/compat.js'
export { agentEngine, lookAt, type AgentLook, type SeenFile } from './compat/agent-look.js'
export { OneMoment } from './compat/one-moment.js'
export type {
  AgentCompat,
  AgentDistribution,
  AgentDistributionOptions,
  AgentSummary,
  Change,
  Compat,
  CompatAgent,
  FieldUse,
  Found,
  SkillCompat,
  Told,
} from './compat/compat-types.js'
export { isLost, isMisread } from './compat/summary.js'
export { compatDiagnostics, type CompatDiagnosticsOptions } from './compat/compat-diagnostics.js'
export { cellOf, cellWords, compatMarkdown } from './compat/compat-markdown.js'
