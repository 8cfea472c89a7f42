import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 2,
  args: 'NAME',
  synonyms: ['info'],
  text: 'Show what a skill says: its fields, its files, its body',
  options: { '--deps': 'Also the skills it requires, and what those require', ...json },
  details: [
    'Exits with 1 when there is no skill of the name, or when --deps finds skills that require each other.',
    'Characters of a body that a terminal would obey are shown as their numbers; --json has the body as it is.',
  ],
})
