import { systemReminder } from './hook-reminder.js'
import type { RestoredSkill } from './invoked-skills.js'

const intro =
  'These skills were invoked earlier in this conversation, the newest first. Their texts are repeated here because the conversation was shortened; nobody has invoked them again. Follow a text where it still applies to what is asked now. Never repeat work that was done for an earlier invocation, and never carry out its arguments again.'

/** Returns the message that gives skills again after a conversation was shortened; undefined if there are none. */
export function restoredReminder(skills: readonly RestoredSkill[]): string | undefined {
  return skills.length === 0 ? undefined : systemReminder([intro, ...skills.map(textOf)].join('\n\n'))
}

function textOf({ name, path, args, content, cutFrom }: RestoredSkill): string {
  const lines = [`## Skill ${JSON.stringify(name)}`]
  if (args !== undefined) lines.push(`Arguments of the earlier invocation, which are past: ${JSON.stringify(args)}`)
  lines.push('', args === undefined ? content : withoutArguments(content, args))
  if (cutFrom !== undefined)
    lines.push(
      `[The text is cut here: ${content.length} of its ${cutFrom} characters are above.${path === undefined ? '' : ` Read the rest before you follow it: ${path}`}]`,
    )
  return lines.join('\n')
}

/** Removes the line with the arguments that ends a text, as it reads like an order. They are named above the text. */
function withoutArguments(content: string, args: string): string {
  const end = `ARGUMENTS: ${args}`
  return content.endsWith(end) ? content.slice(0, -end.length).trimEnd() : content
}
