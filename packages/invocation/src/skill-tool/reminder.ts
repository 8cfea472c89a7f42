import { escapeTags } from '../escape-tags.js'
import type { Message } from '../executor.js'
import type { SkillListing } from './listing-record.js'

export interface ReminderOptions {
  /** Name of the tool that invokes skills. Default: `Skill`. */
  readonly toolName?: string
}

/**
 * Makes the message that tells a model which skills there are. No text inside can close the message early. See
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
