export type { InvocationEvent, ToolEvent } from './events.js'
export type {
  AgentContext,
  Executor,
  ForkEnd,
  Grants,
  Invocation,
  InvocationSession,
  Message,
  Outcome,
} from './executor.js'
export { InvokedSkills } from './invoked-skills.js'
export { Invoker, plainName, type InvokeRequest, type InvokerOptions } from './invoker.js'
export { askPermission, isOwnTool } from './ask-permission.js'
export { completeSlash } from './complete-slash.js'
export type { OnUntrusted } from './decision.js'
export { escapeTags } from './escape-tags.js'
export { hookDecision } from './hook-decision.js'
export { hookReminder, systemReminder } from './hook-reminder.js'
export { endSession, startSession } from './hook-session.js'
export {
  decide,
  isHookSource,
  skillHookEvents,
  type HookPayload,
  type Hooks,
  type HooksAtWork,
  type HookSource,
  type HookVerdict,
  type SkillHookEvent,
} from './hooks.js'
export { executorKind, hooksKind, invocationKinds, permissionKind, runnerKind, trustKind } from './kinds.js'
export { readHooks } from './read-hooks.js'
export { registerHooks } from './register-hooks.js'
export type {
  JournalStep,
  RunJournal,
  Runner,
  RunProgress,
  RunRequest,
  RunResult,
  RunUsage,
  ToolCall,
  ToolLimits,
} from './runner.js'
export { preloadSkills } from './preload.js'
export { firstUnsafeField } from './safe-properties.js'
export { traced, type TraceCarrier, type TracedOperation, type Tracer, type WorkFacts } from './tracer.js'
export { Session } from './session/session.js'
export { hooksDigest, sessionSchema, type SessionValue } from './session/session-value.js'
export { parseSlash } from './slash.js'
export { toolContent } from './tool-content.js'
export { toolLimitsOf } from './tool-limits.js'
export type { Claim, SkillManifest, Trust, TrustCall, TrustVerdict } from './trust.js'
export { countUse, readUsage, usageOf } from './usage.js'
