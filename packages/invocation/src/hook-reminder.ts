import { escapeTags } from './escape-tags.js'
import type { HookPayload, HookVerdict, SkillHookEvent } from './hooks.js'

/**
 * What hooks have for the model, as the text of a message that says where it comes from and that nothing in it can end
 * early; undefined where they have nothing for it. Of `PostToolUse` that is also why one blocks: the tool was used
 * already, and the model has to know. See docs/reference/hooks.md, "Hooks of skills".
 */
export function hookReminder(
  event: SkillHookEvent,
  { block, reason, context }: HookVerdict,
  { toolName }: Pick<HookPayload, 'toolName'> = {},
): string | undefined {
  const texts = [event === 'PostToolUse' && block === true ? reason : undefined, context].filter(
    text => text !== undefined && text !== '',
  )
  if (texts.length === 0) return undefined
  const told = [
    `A hook of ${event}${toolName === undefined ? '' : ` (${toolName.replaceAll(/\s+/g, ' ')})`} says:`,
    ...texts,
  ].join('\n')
  return systemReminder(told)
}

/** A text of which a model is told that it does not come from the user; nothing in it can end early what says so. */
export function systemReminder(text: string): string {
  return `<system-reminder>\n${escapeTags(text)}\n</system-reminder>`
}
