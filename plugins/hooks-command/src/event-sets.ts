import type { SkillHookEvent } from '@skills/invocation'

/** Events of the past: a hook that blocks does not keep the other hooks from hearing of them. */
export const told: ReadonlySet<SkillHookEvent> = new Set(['PostToolUse', 'Notification', 'SessionStart', 'SessionEnd'])
/** Events at which matchers are compared. */
export const aboutTools: ReadonlySet<SkillHookEvent> = new Set(['PreToolUse', 'PostToolUse'])
/** Events at which an agent is about to stop: a hook that blocks makes it continue. */
export const aboutStopping: ReadonlySet<SkillHookEvent> = new Set(['Stop', 'SubagentStop'])
/** Events at which a hook can add text for the model. Plain text does so only at {@link addsPlainText}. */
export const addsContext: ReadonlySet<SkillHookEvent> = new Set([
  'UserPromptSubmit',
  'SessionStart',
  'PreToolUse',
  'PostToolUse',
])
export const addsPlainText: ReadonlySet<SkillHookEvent> = new Set(['UserPromptSubmit', 'SessionStart'])
