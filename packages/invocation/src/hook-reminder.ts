import { escapeTags } from './escape-tags.js'
import type { HookPayload, HookVerdict, SkillHookEvent } from './hooks.js'

/**
 * Writes the answer of hooks as a message for the model. The message names the event, and no text inside can close the
 * message early. Returns undefined if the hooks have no text for the model. After `PostToolUse`, the reason of a block
 * is included, because the tool was already used. See docs/reference/hooks.md, "Hooks of skills".
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

/** Wraps a text so that the model knows it does not come from the user. No text inside can close the wrapper early. */
export function systemReminder(text: string): string {
  return `<system-reminder>\n${escapeTags(text)}\n</system-reminder>`
}
