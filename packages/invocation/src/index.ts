export type { InSession } from './session/in-session.js'
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
export { InvokedSkills, type InvokedSkill, type InvokedSkillsOptions } from './invoked-skills.js'
export { Invoker, plainName, type InvokeRequest, type InvokerOptions } from './invoker.js'
export {
  askPermission,
  isOwnTool,
  type AskedPermission,
  type AskPermissionOptions,
  type OwnToolCall,
} from './ask-permission.js'
export { completeSlash } from './complete-slash.js'
export type { Decided, OnUntrusted } from './decision.js'
export { escapeTags } from './escape-tags.js'
export type { DecisionOptions } from './decisions.js'
export { heardProgress, type Heard } from './heard-progress.js'
export { hookDecision, type HookDecision } from './hook-decision.js'
export { hookReminder, systemReminder } from './hook-reminder.js'
export { endSession, startSession, type SessionCall } from './hook-session.js'
export {
  decide,
  isHookSource,
  skillHookEvents,
  type HookOwner,
  type HookPayload,
  type Hooks,
  type HooksAtWork,
  type HookSource,
  type HookVerdict,
  type SkillHookEvent,
} from './hooks.js'
export { executorKind, hooksKind, invocationKinds, permissionKind, runnerKind, trustKind } from './kinds.js'
export { readHooks, type DeclaredHook, type HookProblem, type ReadHooks } from './read-hooks.js'
export { registerHooks, type RegisterHooksCall } from './register-hooks.js'
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
export { firstGrantingField, firstUnsafeField, mayEmbedCommand } from './safe-properties.js'
export type { HookedSkill, SkillRef } from './session/skill-ref.js'
export type { Lost } from './session/restore-session.js'
export { traced, tracerKind, type TraceCarrier, type TracedOperation, type Tracer, type WorkFacts } from './tracer.js'
export { Session, type SessionOptions } from './session/session.js'
export {
  hooksDigest,
  sessionSchema,
  type SessionEngine,
  type SessionValue,
  type SkillValue,
} from './session/session-value.js'
export { parseSlash, type SlashCall, type SlashRules } from './slash.js'
export { toolContent } from './tool-content.js'
export { isOffered, toolLimitsOf } from './tool-limits.js'
export type { Claim, SkillManifest, Trust, TrustCall, TrustVerdict } from './trust.js'
export { countUse, readUsage, usageOf, type Usage, type UseCall } from './usage.js'
