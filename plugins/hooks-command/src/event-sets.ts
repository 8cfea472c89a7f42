import type { SkillHookEvent } from '@skills/invocation'

/** Events about something that has already happened: if a hook blocks, the other hooks still get the event. */
export const told: ReadonlySet<SkillHookEvent> = new Set(['PostToolUse', 'Notification', 'SessionStart', 'SessionEnd'])
/** Events at which the matcher of a hook is compared with the tool. */
export const aboutTools: ReadonlySet<SkillHookEvent> = new Set(['PreToolUse', 'PostToolUse'])
/** Events at which an agent is about to stop: a hook that blocks makes the agent continue. */
export const aboutStopping: ReadonlySet<SkillHookEvent> = new Set(['Stop', 'SubagentStop'])
/** Events at which a hook can add text for the model. Plain text does so only at {@link addsPlainText}. */
export const addsContext: ReadonlySet<SkillHookEvent> = new Set([
  'UserPromptSubmit',
  'SessionStart',
  'PreToolUse',
  'PostToolUse',
])
export const addsPlainText: ReadonlySet<SkillHookEvent> = new Set(['UserPromptSubmit', 'SessionStart'])
