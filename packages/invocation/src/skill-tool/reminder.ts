import { escapeTags } from '../escape-tags.js'
import type { Message } from '../executor.js'
import type { SkillListing } from './listing-record.js'

export interface ReminderOptions {
  /** Of the tool by which skills are invoked. Default: `Skill`. */
  readonly toolName?: string
}

/**
 * The message that tells a model which skills there are; nothing in it can end it early. See
 * docs/reference/listing.md, "The reminder".
 */
export function skillReminder(attachment: SkillListing, { toolName = 'Skill' }: ReminderOptions = {}): Message {
  const { content, skillCount, isInitial } = attachment
  const heading =
    skillCount > 0 || isInitial ? `The following skills are available for use with the ${toolName} tool:\n\n` : ''
  return {
    type: 'user',
    isMeta: true,
    content: `<system-reminder>\n${heading}${escapeTags(content)}\n</system-reminder>`,
    attachment: { ...attachment },
  }
}
