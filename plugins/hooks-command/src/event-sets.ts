import type { SkillHookEvent } from '@skills/invocation'

/** What has happened already: a hook that blocks keeps no other from hearing of it. */
export const told: ReadonlySet<SkillHookEvent> = new Set(['PostToolUse', 'Notification', 'SessionStart', 'SessionEnd'])
/** Events at which a matcher is looked at. */
export const aboutTools: ReadonlySet<SkillHookEvent> = new Set(['PreToolUse', 'PostToolUse'])
/** Events at which an agent is about to stop: a hook that blocks has it go on. */
export const aboutStopping: ReadonlySet<SkillHookEvent> = new Set(['Stop', 'SubagentStop'])
/** Events at which a model is told what a hook adds; plain text adds it to those that begin something. */
export const addsContext: ReadonlySet<SkillHookEvent> = new Set([
  'UserPromptSubmit',
  'SessionStart',
  'PreToolUse',
  'PostToolUse',
])
export const addsPlainText: ReadonlySet<SkillHookEvent> = new Set(['UserPromptSubmit', 'SessionStart'])
